//! Lists the invites of an auction.

use super::create::INVITES_MAX;
use crate::access::store::invites;
use crate::access::{Action, Invite};
use crate::auctions::access::AuctionView;
use platform::db::{Connection, DbError};
use platform::time::Moment;
use platform::verb::AccessError;

/// Every invite, for the managers.
pub async fn list_invites(
    conn: &mut Connection,
    seen: &AuctionView,
    now: Moment,
) -> Result<Vec<Invite>, AccessError> {
    if !seen.may(Action::ManageMembers) {
        return Err(AccessError::Forbidden);
    }
    Ok(invites::list(conn, seen.auction.id, None, now, INVITES_MAX).await?)
}

/// The invites that the viewer may delete: every invite for the managers, for other members those that they
/// have sent.
pub async fn deletable_invites(
    conn: &mut Connection,
    seen: &AuctionView,
    now: Moment,
) -> Result<Vec<Invite>, DbError> {
    let sender = if seen.may(Action::ManageMembers) { None } else { Some(seen.viewer) };
    invites::list(conn, seen.auction.id, sender, now, INVITES_MAX).await
}
