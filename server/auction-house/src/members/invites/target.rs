//! What an invite leads to, for anyone who has its link.

use crate::access::Invite;
use crate::access::store::invites;
use crate::auctions::{self, Auction};
use accounts::Person;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// An invite with what its page shows before the user joins.
#[derive(Debug, Clone)]
pub struct InviteTarget {
    pub invite: Invite,
    pub auction: Auction,
    pub sender: Person,
}

/// `None` if the invite was used, replaced or deleted, or has expired.
pub async fn invite_target(
    conn: &mut Connection,
    token: &str,
    now: Moment,
) -> Result<Option<InviteTarget>, DbError> {
    let Some(invite) = invites::by_token(conn, token, now).await? else { return Ok(None) };
    let Some(auction) = auctions::store::by_id(conn, invite.auction_id, now).await? else { return Ok(None) };
    let name = accounts::user::store::name(conn, invite.sender).await?.unwrap_or_default();
    let sender = Person { id: invite.sender, name };
    Ok(Some(InviteTarget { invite, auction, sender }))
}
