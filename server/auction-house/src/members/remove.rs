//! Ends a membership: a manager removes a member, or a member leaves. Their bids stay.

use super::change_role::managed_member;
use crate::access::store::{self, invites, removed};
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a membership does not end.
    pub enum RemoveRefusal {
        OwnerStays => codes::FORBIDDEN, "You own the auction: make another member its owner before you leave it.";
    }
}

/// A removed member returns with a new invite only, so that the invites that they have received or sent are
/// deleted. A member who leaves may join again.
pub async fn remove_member(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    member_id: UserId,
) -> Result<(), VerbError<RemoveRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?;
    if user == member_id {
        let role = seen.role.ok_or(VerbError::NotFound)?;
        if role.managed_by().is_none() {
            return Err(RemoveRefusal::OwnerStays.into());
        }
    } else {
        managed_member(&mut db, &seen, member_id).await?;
        removed::insert(&mut db, auction_id, member_id, now).await?;
        let account = accounts::user::store::user_by_id(&mut db, member_id).await?;
        if let Some(email) = account.and_then(|account| account.parsed_email()) {
            invites::delete_of_member(&mut db, auction_id, member_id, &email).await?;
        }
    }
    store::remove(&mut db, auction_id, member_id).await?;
    db.commit().await?;
    Ok(())
}
