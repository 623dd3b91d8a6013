//! Changes the role of a member.

use std::convert::Infallible;

use crate::access::store;
use crate::access::{GrantedRole, Member, Role};
use crate::auctions::access::{AuctionView, authorize};
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use accounts::user::store::is_managed;
use platform::body::Body;
use platform::db::Connection;
use platform::fields::FieldError;
use platform::shape::{self, Members, Shape};
use platform::verb::{AccessError, VerbError};

/// A change of a member.
#[derive(Debug, Clone, Default)]
pub struct MemberBody {
    role: Option<GrantedRole>,
}

impl Shape for MemberBody {
    const NAME: &'static str = "NewMember";

    fn members(&mut self, members: &mut Members<'_>) {
        members.parsed_change("role", &mut self.role).of::<GrantedRole>();
    }
}

/// Applies a merge patch to a member.
pub async fn change_role(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    member_id: UserId,
    patch: impl Body,
) -> Result<(Member, AuctionView), VerbError<Infallible>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, context.clock.now()).await?;
    let mut member = managed_member(&mut db, &seen, member_id).await?;
    let MemberBody { role } = shape::parse(patch.read()?)?;
    if let Some(role) = role {
        member.role = role.into();
        if member.role != Role::Bidder && is_managed(&mut db, member_id).await? {
            return Err(vec![FieldError::new("role", "must be BIDDER: the member has no e-mail")].into());
        }
        store::set_role(&mut db, auction_id, member_id, member.role).await?;
        db.commit().await?;
    }
    Ok((member, seen))
}

/// The member, if the viewer may change their role or remove them.
pub(super) async fn managed_member(
    conn: &mut Connection,
    seen: &AuctionView,
    member_id: UserId,
) -> Result<Member, AccessError> {
    // The list of members is for members alone.
    if seen.role.is_none() {
        return Err(AccessError::Forbidden);
    }
    let member = store::member(conn, seen.auction.id, member_id).await?.ok_or(AccessError::NotFound)?;
    let may_manage = member.role.managed_by().is_some_and(|action| seen.may(action));
    if may_manage { Ok(member) } else { Err(AccessError::Forbidden) }
}
