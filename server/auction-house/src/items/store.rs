//! Items in SQL, each read with its seller, its creator and its highest bid.

#[macro_use]
mod terms;

pub mod bidding;
pub mod calendar;
pub mod copies;
pub mod ending;
pub mod ends;
pub mod images;
mod list;
mod numbers;
pub mod outcomes;
mod row;
pub mod running_order;
pub mod transitions;
pub mod watches;

use std::collections::HashMap;
use std::sync::Arc;

use self::row::{COLUMNS, ItemRow, JOINS, LISTED_COLUMNS, TABLES};
use super::Item;
use crate::access::Role;
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::auctions::people::Numbers;
use crate::auctions::store::AuctionRow;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::usage;
use platform::db::{Connection, DbError, Sql, concatcp, for_each_row, query, query_scalar, rows};
use platform::time::Moment;

pub use list::{Listed, list, list_versions};
pub use numbers::{names, next_number, number_is_taken, numbers, with_keys};
pub use terms::{adjust_ends, delete, delete_all, delete_created, insert, insert_all, update, update_all};

/// An item with its auction.
#[derive(sqlx_macros::FromRow)]
struct ItemInAuctionRow {
    #[sqlx(flatten)]
    auction: AuctionRow,
    #[sqlx(flatten)]
    item: ItemRow,
    watched: bool,
}

/// Reads what items have beside their rows whose bids stand apart: outcomes of further copies, and tickets.
/// Other items cost nothing.
async fn read_apart<'a>(
    conn: &mut Connection,
    items: impl Iterator<Item = &'a mut Item>,
) -> Result<(), DbError> {
    let mut items: Vec<&mut Item> = items.filter(|item| item.terms.format.is_apart()).collect();
    if items.is_empty() {
        return Ok(());
    }
    outcomes::read_copies(conn, items.iter_mut().map(|item| &mut **item)).await?;
    let draws = items.into_iter().filter(|item| item.terms.format.draw().is_some());
    let mut draws: HashMap<ItemId, &mut Item> = draws.map(|item| (item.id, item)).collect();
    for (item_id, tickets) in usage::tickets(conn, &draws.keys().copied().collect::<Vec<_>>()).await? {
        if let Some(item) = draws.get_mut(&item_id) {
            item.tickets = Some(tickets);
        }
    }
    Ok(())
}

/// An item of this auction, without authorization.
pub async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Option<Item>, DbError> {
    let row: Option<ItemRow> =
        query(concatcp!("SELECT ", COLUMNS, TABLES, "WHERE i.id = $1 AND i.auction_id = $2"))
            .bind(item_id)
            .bind(auction_id)
            .fetch_optional(&mut *conn)
            .await?;
    let mut item = row.map(Item::try_from).transpose()?;
    read_apart(conn, item.iter_mut()).await?;
    Ok(item)
}

/// The items of a JSON array of ids.
macro_rules! among {
    ($columns:expr) => {
        for_each_row!(
            concatcp!("SELECT ", $columns, " FROM"),
            [item_id id],
            concatcp!("JOIN items_now i ON i.id = given.item_id", JOINS)
        )
    };
}

/// Items by their ids, in the order of the ids, without authorization.
pub async fn find_among(conn: &mut Connection, ids: &[ItemId]) -> Result<Vec<Item>, DbError> {
    among(conn, among!(COLUMNS), ids).await
}

/// Items by their ids, in the order of the ids, with their descriptions as far as lists show them, without
/// authorization.
pub async fn find_listed(conn: &mut Connection, ids: &[ItemId]) -> Result<Vec<Item>, DbError> {
    among(conn, among!(LISTED_COLUMNS), ids).await
}

async fn among(conn: &mut Connection, statement: Sql, ids: &[ItemId]) -> Result<Vec<Item>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let query = query(statement).bind(rows(ids.iter().map(|id| [*id]))?);
    let found: Vec<ItemRow> = query.fetch_all(&mut *conn).await?;
    let mut items = found.into_iter().map(Item::try_from).collect::<Result<Vec<_>, _>>()?;
    read_apart(conn, items.iter_mut()).await?;
    items.sort_by_key(|item| item.id);
    Ok(items)
}

/// Versions of items, as clients see them, by their ids.
pub async fn versions(conn: &mut Connection, ids: &[ItemId]) -> Result<Vec<(ItemId, i64)>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    query(for_each_row!(
        "SELECT i.id, i.version + COALESCE(h.last_sequence, 0) FROM",
        [item_id id],
        "JOIN items i ON i.id = given.item_id LEFT JOIN item_heads h ON h.item_id = i.id"
    ))
    .bind(rows(ids.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await
}

/// How many drafts of an auction are not closed.
pub async fn draft_count(conn: &mut Connection, auction_id: AuctionId) -> Result<usize, DbError> {
    let count: i64 = query_scalar(
        "SELECT COUNT(*) FROM items WHERE auction_id = $1 AND NOT is_published AND closed_at IS NULL",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Drafts of an auction that are not closed.
pub async fn draft_ids(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemId>, DbError> {
    query_scalar(
        "SELECT id FROM items WHERE auction_id = $1 AND NOT is_published AND closed_at IS NULL ORDER BY id",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await
}

/// The ISO 4217 code of the last lot of an auction that has one.
pub async fn newest_currency(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Option<String>, DbError> {
    query_scalar(
        "SELECT currency_code FROM items WHERE auction_id = $1 AND currency_code IS NOT NULL
         ORDER BY lot_key DESC LIMIT 1",
    )
    .bind(auction_id)
    .fetch_optional(conn)
    .await
}

/// An item with its auction, the viewer's role in that, and whether the viewer watches the item.
pub async fn find_in_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
    now: Moment,
) -> Result<Option<(AuctionView, Item, bool)>, DbError> {
    let row: Option<ItemInAuctionRow> = query(concatcp!(
        "SELECT ",
        auctions::store::COLUMNS,
        ", ",
        COLUMNS,
        ", ",
        watches::WATCHED,
        TABLES,
        "LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE i.id = $3 AND i.auction_id = $4"
    ))
    .bind(now)
    .bind(viewer)
    .bind(item_id)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (mut auction, mut item) = (row.auction.seen_by(viewer), Item::try_from(row.item)?);
    read_apart(conn, std::iter::once(&mut item)).await?;
    auctions::store::read_numbers(conn, &mut auction.auction).await?;
    Ok(Some((auction, item, row.watched)))
}

/// Items by their ids, each with its auction, the viewer's role in that, and whether the viewer watches the
/// item. Their descriptions go no further than lists show.
pub async fn find_all(
    conn: &mut Connection,
    viewer: UserId,
    ids: &[ItemId],
    now: Moment,
) -> Result<Vec<(AuctionView, Item, bool)>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<ItemInAuctionRow> = query(for_each_row!(
        "$3" => concatcp!(
            "SELECT ",
            auctions::store::LISTED_COLUMNS,
            ", ",
            LISTED_COLUMNS,
            ", ",
            watches::WATCHED,
            " FROM"
        ),
        [item_id id],
        concatcp!(
            "JOIN items_now i ON i.id = given.item_id",
            JOINS,
            "LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2"
        )
    ))
    .bind(now)
    .bind(viewer)
    .bind(rows(ids.iter().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    let mut items = Vec::with_capacity(found.len());
    let mut numbers: HashMap<AuctionId, Option<Arc<Numbers>>> = HashMap::new();
    for row in found {
        let mut auction = row.auction.seen_by(viewer);
        match numbers.get(&auction.auction.id) {
            Some(known) => auction.auction.numbers.clone_from(known),
            None => {
                auctions::store::read_numbers(conn, &mut auction.auction).await?;
                numbers.insert(auction.auction.id, auction.auction.numbers.clone());
            }
        }
        items.push((auction, Item::try_from(row.item)?, row.watched));
    }
    read_apart(conn, items.iter_mut().map(|(_, item, _)| item)).await?;
    Ok(items)
}

/// Version of an item as one viewer sees it. Equal versions mean that nothing has changed.
#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub struct Standing {
    /// The auction's.
    pub revision: i64,
    /// The item's, its bids included.
    pub version: i64,
    pub role: Option<Role>,
    pub watched: bool,
}

/// The standing of an item of this auction before `viewer`.
pub async fn standing(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
) -> Result<Option<Standing>, DbError> {
    query(concatcp!(
        "SELECT a.revision, i.version + i.last_sequence AS version, m.role, ",
        watches::WATCHED,
        " FROM items_now i
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $1
         WHERE i.id = $2 AND i.auction_id = $3"
    ))
    .bind(viewer)
    .bind(item_id)
    .bind(auction_id)
    .fetch_optional(conn)
    .await
}
