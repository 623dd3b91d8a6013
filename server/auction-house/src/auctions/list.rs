//! Lists the auctions that a user is a member of, and the FREE ones.

use super::access::AuctionView;
use super::store;
use crate::ids::{AuctionId, UserId};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;

/// Newest first.
pub async fn list_auctions(
    conn: &mut Connection,
    viewer: UserId,
    now: Moment,
    page: Page<AuctionId>,
) -> Result<Paged<AuctionView>, DbError> {
    let found = store::list(conn, viewer, now, page.after, page.rows()).await?;
    Ok(page.paged(found, |seen| seen.auction.id.to_string()))
}
