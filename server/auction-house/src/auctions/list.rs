//! Lists auctions.

use super::access::AuctionView;
use super::store;
use crate::ids::{AuctionId, UserId};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;

/// Which auctions a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Auctions that the viewer is a member of, and the FREE ones.
    Visible,
    /// Auctions that the viewer is a member of.
    Member,
    /// The FREE ones that are not past their end, without those that the viewer is a member of.
    Joinable,
}

/// Newest first.
pub async fn list_auctions(
    conn: &mut Connection,
    viewer: UserId,
    scope: Scope,
    now: Moment,
    page: Page<AuctionId>,
) -> Result<Paged<AuctionView>, DbError> {
    let found = store::list(conn, viewer, scope, now, page.after, page.rows()).await?;
    Ok(page.paged(found, |seen| seen.auction.id.to_string()))
}
