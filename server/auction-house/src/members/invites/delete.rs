//! Deletes an invite, whose link then leads nowhere.

use std::convert::Infallible;

use crate::access::Action;
use crate::access::store::invites;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::ids::{AuctionId, InviteId, UserId};
use crate::locks::LockingWrites;
use platform::verb::VerbError;

/// For the managers and the sender. Other members do not see the invite.
pub async fn delete_invite(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    invite_id: InviteId,
) -> Result<(), VerbError<Infallible>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, context.clock.now()).await?;
    if seen.role.is_none() {
        return Err(VerbError::Forbidden);
    }
    let invite = invites::by_id(&mut db, auction_id, invite_id).await?.ok_or(VerbError::NotFound)?;
    if invite.sender != user && !seen.may(Action::ManageMembers) {
        return Err(VerbError::Forbidden);
    }
    invites::delete(&mut db, invite_id).await?;
    Ok(db.commit().await?)
}
