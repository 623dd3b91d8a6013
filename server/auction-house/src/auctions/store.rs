//! Auctions in SQL.

#[macro_use]
mod terms;

mod books;
mod counts;
mod deletion;
mod ending;
mod hall;
mod of_group;
mod row;
mod seen;

use std::sync::Arc;

use super::Auction;
use super::access::AuctionView;
use super::list::Scope;
use crate::access;
use crate::ids::{AuctionId, UserId};
use platform::db::{
    BulkStatement, Connection, DbError, WriteBatch, bulk_statement, concatcp, query, query_scalar, row,
};
use platform::time::Moment;

pub use books::books;
pub use counts::{add_items, add_published, all_items};
pub use deletion::{begin_deletion, delete, deleted};
pub use ending::{close, ended, has_ended};
pub use hall::{by_screen, screen, set_screen, update_block};
pub use of_group::{forget_group, of_group, open_of_group};
pub use row::AuctionRow;
pub(crate) use row::{COLUMNS, LISTED_COLUMNS};
pub use seen::{seen_of_book, seen_of_group};
pub use terms::{insert, update, update_link};

/// An auction with the viewer's role in it. Whether they may see it is not asked here. None once its deletion
/// has begun.
pub async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    viewer: UserId,
    now: Moment,
) -> Result<Option<AuctionView>, DbError> {
    let row: Option<AuctionRow> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        " FROM auctions a LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2
         WHERE a.id = $3 AND a.deleted_at IS NULL"
    ))
    .bind(now)
    .bind(viewer)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let mut seen = row.seen_by(viewer);
    read_numbers(conn, &mut seen.auction).await?;
    Ok(Some(seen))
}

/// Adds the numbers of the members of an auction with a group.
pub async fn read_numbers(conn: &mut Connection, auction: &mut Auction) -> Result<(), DbError> {
    if auction.terms.group_id.is_some() {
        auction.numbers = Some(Arc::new(access::store::numbers::of_auction(conn, auction.id).await?));
    }
    Ok(())
}

/// An auction without a viewer. None once its deletion has begun.
pub async fn by_id(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Option<Auction>, DbError> {
    let row: Option<AuctionRow> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        " FROM auctions a LEFT JOIN members m ON FALSE WHERE a.id = $2 AND a.deleted_at IS NULL"
    ))
    .bind(now)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let mut auction = Auction::from(row);
    read_numbers(conn, &mut auction).await?;
    Ok(Some(auction))
}

/// The auction whose link has this token, whatever its join mode is.
pub async fn by_link(conn: &mut Connection, token: &str) -> Result<Option<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE link_token = $1").bind(token).fetch_optional(conn).await
}

/// Up to `limit` auctions of the scope, newest first, older than `before`.
pub async fn list(
    conn: &mut Connection,
    viewer: UserId,
    scope: Scope,
    now: Moment,
    before: Option<AuctionId>,
    limit: i64,
) -> Result<Vec<AuctionView>, DbError> {
    macro_rules! listed {
        ($members:literal, $condition:literal) => {
            concatcp!(
                "SELECT ",
                LISTED_COLUMNS,
                " FROM auctions a ",
                $members,
                " JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE ",
                $condition,
                " AND ($3 IS NULL OR a.id < $3) ORDER BY a.id DESC LIMIT $4"
            )
        };
    }
    let sql = match scope {
        Scope::Visible => listed!("LEFT", "(a.join_mode = 'FREE' OR m.role IS NOT NULL)"),
        Scope::Member => listed!("", "TRUE"),
        Scope::Joinable => listed!(
            "LEFT",
            "a.join_mode = 'FREE' AND m.role IS NULL AND a.closed_at IS NULL
             AND (a.end_date IS NULL OR a.end_date > $1)"
        ),
    };
    let rows: Vec<AuctionRow> =
        query(sql).bind(now).bind(viewer).bind(before).bind(limit).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|row| row.seen_by(viewer)).collect())
}

/// Whether the user has created `count` auctions or more that are still open.
pub async fn has_open(conn: &mut Connection, creator: UserId, count: i64) -> Result<bool, DbError> {
    let sql = "SELECT COUNT(*) >= $2 FROM
        (SELECT 1 FROM auctions WHERE creator_id = $1 AND closed_at IS NULL LIMIT $2) AS open";
    query_scalar(sql).bind(creator).bind(count).fetch_one(conn).await
}

/// The revision of an auction, if it is there.
pub async fn revision(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<i64>, DbError> {
    query_scalar("SELECT revision FROM auctions WHERE id = $1").bind(auction_id).fetch_optional(conn).await
}

/// Raises the revisions of auctions in which something changed besides bids.
pub fn raise_revisions(writes: &mut WriteBatch, auction_ids: impl IntoIterator<Item = AuctionId>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE auctions SET revision = auctions.revision + 1 FROM",
        [id uuid],
        "WHERE auctions.id = given.id"
    );
    writes.add(STATEMENT, auction_ids.into_iter().map(|id| row![id]));
}
