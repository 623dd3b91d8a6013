//! Makes another member the OWNER of an auction.

use std::convert::Infallible;

use crate::access::{Action, Role, store};
use crate::auctions::access::{AuctionView, authorize};
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use accounts::user::store::is_managed;
use platform::body::Body;
use platform::fields::FieldError;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The member who becomes OWNER.
#[derive(Debug, Clone, Default)]
pub struct TransferBody {
    user_id: Option<UserId>,
}

const USER_ID: &str = "userId";

impl Shape for TransferBody {
    const NAME: &'static str = "TransferBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_parsed(USER_ID, &mut self.user_id).about("Of a member, who becomes OWNER.");
    }
}

/// The OWNER before becomes ADMIN. A transfer to oneself changes nothing.
pub async fn transfer(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<AuctionView, VerbError<Infallible>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, context.clock.now()).await?;
    let mut seen = seen.require(Action::TransferAuction)?;
    let TransferBody { user_id } = shape::parse(body.read()?)?;
    let member = match user_id {
        Some(user_id) => store::member(&mut db, auction_id, user_id).await?,
        None => None,
    };
    let Some(member) = member else {
        return Err(vec![FieldError::new(USER_ID, "must be the id of a member")].into());
    };
    if is_managed(&mut db, member.id).await? {
        return Err(vec![FieldError::new(USER_ID, "must be the id of a member with an e-mail")].into());
    }
    if member.id != user {
        store::set_role(&mut db, auction_id, user, Role::Admin).await?;
        store::set_role(&mut db, auction_id, member.id, Role::Owner).await?;
        db.commit().await?;
        seen.role = Some(Role::Admin);
    }
    Ok(seen)
}
