//! Items in SQL, each read with its seller, its creator and its highest bid.

pub mod bidding;
mod numbers;
pub mod outcomes;
mod row;
mod terms;
pub mod transitions;

use crate::access;
use crate::accounts::Person;
use std::collections::HashMap;

use self::row::{ItemRow, columns, tables};
use super::Item;
use crate::access::Role;
use crate::accounts;
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::auctions::store::AuctionRow;
use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{Connection, DbError, for_each_row, query, rows};
use platform::time::Moment;

pub use numbers::{next_number, number_is_taken};
pub use terms::{delete, insert, refit_ends, update};

/// An item with its auction.
#[derive(sqlx::FromRow)]
struct ItemInAuctionRow {
    #[sqlx(flatten)]
    auction: AuctionRow,
    #[sqlx(flatten)]
    item: ItemRow,
}

impl Person {
    /// What a bidder is called whose account is gone.
    pub const DELETED: &str = accounts::store::ERASED_NAME;
}

/// An item of this auction, without authorization.
pub async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Option<Item>, DbError> {
    let row: Option<ItemRow> =
        query(concat!("SELECT ", columns!(), tables!(), "WHERE i.id = $1 AND i.auction_id = $2"))
            .bind(item_id)
            .bind(auction_id)
            .fetch_optional(conn)
            .await?;
    row.map(ItemRow::read).transpose()
}

/// The same with its auction and the viewer's role in that.
pub async fn find_in_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
    now: Moment,
) -> Result<Option<(AuctionView, Item)>, DbError> {
    let row: Option<ItemInAuctionRow> = query(concat!(
        "SELECT ",
        auctions::store::selected!(),
        ", ",
        columns!(),
        tables!(),
        "LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE i.id = $3 AND i.auction_id = $4"
    ))
    .bind(now)
    .bind(viewer)
    .bind(item_id)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    row.map(|row| Ok((row.auction.read(viewer)?, row.item.read()?))).transpose()
}

/// Version of an item as one viewer sees it. Equal versions mean that nothing has changed.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// The auction's.
    pub revision: i64,
    /// The item's, its bids included.
    pub version: i64,
    pub role: Option<Role>,
}

/// The standing of an item of this auction before `viewer`.
pub async fn standing(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
) -> Result<Option<Standing>, DbError> {
    let row: Option<(i64, i64, Option<String>)> = query(
        "SELECT a.revision, i.version + COALESCE(i.last_sequence, 0), m.role
         FROM items_now i
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $1
         WHERE i.id = $2 AND i.auction_id = $3",
    )
    .bind(viewer)
    .bind(item_id)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let read = |(revision, version, role): (_, _, Option<String>)| {
        let role = role.as_deref().map(access::store::read_role).transpose()?;
        Ok(Standing { revision, version, role })
    };
    row.map(read).transpose()
}

/// Which items of an auction are listed.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Everybody's drafts too, not only those of `viewer`.
    pub all_drafts: bool,
    pub viewer: UserId,
    pub after: Option<ItemId>,
    pub limit: i64,
}

/// Items of an auction in the order in which they were made.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed,
) -> Result<Vec<Item>, DbError> {
    let rows: Vec<ItemRow> = query(concat!(
        "SELECT ",
        columns!(),
        tables!(),
        "WHERE i.auction_id = $1 AND (i.is_published OR i.creator_id = $2 OR $3) AND ($4 IS NULL OR i.id > $4)
         ORDER BY i.id LIMIT $5"
    ))
    .bind(auction_id)
    .bind(listed.viewer)
    .bind(listed.all_drafts)
    .bind(listed.after)
    .bind(listed.limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(ItemRow::read).collect()
}

/// How many items of each of these auctions are published. An auction without any is left out.
pub async fn published_counts(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
) -> Result<HashMap<AuctionId, u64>, DbError> {
    let counts: Vec<(AuctionId, i64)> = query(for_each_row!(
        "SELECT i.auction_id, COUNT(*) FROM",
        [auction_id id],
        "JOIN items i ON i.auction_id = given.auction_id WHERE i.is_published GROUP BY i.auction_id"
    ))
    .bind(rows(auction_ids.iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await?;
    let readable = |(id, count): (AuctionId, i64)| Some((id, u64::try_from(count).ok()?));
    Ok(counts.into_iter().filter_map(readable).collect())
}
