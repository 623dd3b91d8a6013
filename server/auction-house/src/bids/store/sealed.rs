//! Sealed bids and tickets in SQL.

use std::collections::HashMap;

use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use crate::bids::sealed::SealedBid;
use crate::engine::entered;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use accounts::Person;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Parsed, WriteBatch, bulk_statement, concatcp, for_each_row,
    json, query, query_scalar, row, rows,
};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// The columns of a [`SealedRow`] from sealed bids `s` and what is joined to them.
const COLUMNS: &str =
    "s.item_id, s.receipt, s.id, s.auction_id, s.bidder_id, u.name AS bidder_name, s.currency_profile_id,
                s.amount, s.representation, s.normalized_amount, s.is_anonymous, s.placed_by, v.name AS clerk_name,
                s.created_at, s.tickets";
const JOINS: &str = " LEFT JOIN users u ON u.id = s.bidder_id LEFT JOIN users v ON v.id = s.placed_by ";
const SELECT_SEALED: &str = concatcp!("SELECT ", COLUMNS, " FROM sealed_bids s", JOINS);

#[derive(sqlx_macros::FromRow)]
struct SealedRow {
    item_id: ItemId,
    receipt: i64,
    id: BidId,
    auction_id: AuctionId,
    bidder_id: UserId,
    bidder_name: Option<String>,
    currency_profile_id: Option<CurrencyId>,
    amount: Option<Parsed<Amount>>,
    representation: Option<Json<Vec<EnteredCount>>>,
    normalized_amount: Parsed<Normalized>,
    is_anonymous: bool,
    placed_by: Option<UserId>,
    clerk_name: Option<String>,
    created_at: Moment,
    tickets: Option<i64>,
}

impl From<SealedRow> for SealedBid {
    fn from(row: SealedRow) -> Self {
        let name = |name: Option<String>| name.unwrap_or_else(|| Person::DELETED.to_owned());
        let clerk_name = row.clerk_name;
        Self {
            id: row.id,
            auction_id: row.auction_id,
            item_id: row.item_id,
            receipt: row.receipt,
            bidder: Person { id: row.bidder_id, name: name(row.bidder_name) },
            currency_profile_id: row.currency_profile_id,
            entered: entered(row.amount.map(|amount| amount.0.into()), row.representation),
            normalized: row.normalized_amount.0,
            is_anonymous: row.is_anonymous,
            created_at: row.created_at,
            tickets: row.tickets,
            clerk: row.placed_by.map(|id| Person { id, name: name(clerk_name) }),
        }
    }
}

/// The bid of an item with this receipt, whether it stands or not.
pub async fn find(
    conn: &mut Connection,
    item_id: ItemId,
    receipt: i64,
) -> Result<Option<SealedBid>, DbError> {
    let found: Option<SealedRow> = query(concatcp!(SELECT_SEALED, "WHERE s.item_id = $1 AND s.receipt = $2"))
        .bind(item_id)
        .bind(receipt)
        .fetch_optional(conn)
        .await?;
    Ok(found.map(SealedBid::from))
}

/// The bid of an item with this receipt, if it stands.
pub async fn find_standing(
    conn: &mut Connection,
    item_id: ItemId,
    receipt: i64,
) -> Result<Option<SealedBid>, DbError> {
    let found: Option<SealedRow> =
        query(concatcp!(SELECT_SEALED, "WHERE s.item_id = $1 AND s.receipt = $2 AND s.ended_at IS NULL"))
            .bind(item_id)
            .bind(receipt)
            .fetch_optional(conn)
            .await?;
    Ok(found.map(SealedBid::from))
}

/// Whether the bid is in the database.
pub async fn exists(conn: &mut Connection, bid: &SealedBid) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM sealed_bids WHERE item_id = $1 AND receipt = $2 AND id = $3)")
        .bind(bid.item_id)
        .bind(bid.receipt)
        .bind(bid.id)
        .fetch_one(conn)
        .await
}

/// The receipts of the newest bids of these items. An item without bids is left out.
pub async fn last_receipts(conn: &mut Connection, items: &[ItemId]) -> Result<HashMap<ItemId, i64>, DbError> {
    let found: Vec<(ItemId, i64)> = query(for_each_row!(
        "SELECT s.item_id, MAX(s.receipt) FROM",
        [item_id id],
        "JOIN sealed_bids s ON s.item_id = given.item_id GROUP BY s.item_id"
    ))
    .bind(rows(items.iter().map(|item| [*item]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// The standing bids of these users on these items, in the order of their receipts.
pub async fn standing_of(
    conn: &mut Connection,
    bidders: &[(UserId, ItemId)],
) -> Result<Vec<SealedBid>, DbError> {
    if bidders.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<SealedRow> = query(for_each_row!(
        concatcp!("SELECT ", COLUMNS, " FROM"),
        [user_id id, item_id id],
        concatcp!(
            "JOIN sealed_bids s ON s.bidder_id = given.user_id AND s.item_id = given.item_id AND s.ended_at IS NULL",
            JOINS,
            "ORDER BY s.item_id, s.receipt"
        )
    ))
    .bind(rows(bidders)?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(SealedBid::from).collect())
}

/// Every standing bid on these items, in the order of their receipts.
pub async fn standing(conn: &mut Connection, items: &[ItemId]) -> Result<Vec<SealedBid>, DbError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<SealedRow> = query(for_each_row!(
        concatcp!("SELECT ", COLUMNS, " FROM"),
        [item_id id],
        concatcp!(
            "JOIN sealed_bids s ON s.item_id = given.item_id AND s.ended_at IS NULL",
            JOINS,
            "ORDER BY s.item_id, s.receipt"
        )
    ))
    .bind(rows(items.iter().map(|item| [*item]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(SealedBid::from).collect())
}

/// Up to `limit` standing bids of an item below a receipt, the newest first.
pub async fn newest(
    conn: &mut Connection,
    item_id: ItemId,
    before: i64,
    limit: i64,
) -> Result<Vec<SealedBid>, DbError> {
    let found: Vec<SealedRow> = query(concatcp!(
        SELECT_SEALED,
        "WHERE s.item_id = $1 AND s.receipt < $2 AND s.ended_at IS NULL ORDER BY s.receipt DESC LIMIT $3"
    ))
    .bind(item_id)
    .bind(before)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(SealedBid::from).collect())
}

/// Items whose bids stand apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApartItems {
    NotClosed,
    /// Cancelled before the ledger got their bids.
    Cancelled,
}

/// Up to `limit` standing bids of a user on such items older than `before`, newest item first; of several on
/// an item the newest.
pub async fn newest_of(
    conn: &mut Connection,
    user_id: UserId,
    items: ApartItems,
    before: Option<ItemId>,
    limit: i64,
) -> Result<Vec<SealedBid>, DbError> {
    let found: Vec<SealedRow> = query(concatcp!(SELECT_SEALED, "JOIN items i ON i.id = s.item_id
         WHERE s.bidder_id = $1 AND s.item_id < $2 AND s.ended_at IS NULL
           AND CASE WHEN $4 THEN i.closed_at IS NULL
                    ELSE i.closed_at IS NOT NULL
                         AND NOT EXISTS (SELECT 1 FROM bidders p WHERE p.user_id = $1 AND p.item_id = s.item_id) END
           AND NOT EXISTS (SELECT 1 FROM sealed_bids n WHERE n.bidder_id = s.bidder_id AND n.item_id = s.item_id
                                                         AND n.ended_at IS NULL AND n.receipt > s.receipt)
         ORDER BY s.item_id DESC LIMIT $3"))
    .bind(user_id)
    .bind(before.unwrap_or_else(|| ItemId::of(Uuid::max())))
    .bind(limit)
    .bind(items == ApartItems::NotClosed)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(SealedBid::from).collect())
}

/// When a bid ended: it was replaced, or withdrawn by a user.
#[derive(Debug, Clone, Copy)]
pub struct BidEnd {
    pub at: Moment,
    pub withdrawn_by: Option<UserId>,
}

/// Ends standing bids.
pub fn end(writes: &mut WriteBatch, bids: impl Iterator<Item = ((ItemId, i64), BidEnd)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE sealed_bids SET ended_at = given.ended_at, withdrawn_by = given.withdrawn_by FROM",
        [item_id uuid, receipt bigint, ended_at bigint, withdrawn_by uuid],
        "WHERE sealed_bids.item_id = given.item_id AND sealed_bids.receipt = given.receipt"
    );
    writes.add(
        STATEMENT,
        bids.map(|((item_id, receipt), ended)| row![item_id, receipt, ended.at, ended.withdrawn_by]),
    );
}

/// Adds bids, of which some may have ended since they were placed.
pub fn insert<'a>(
    writes: &mut WriteBatch,
    bids: impl Iterator<Item = (&'a SealedBid, Option<BidEnd>)>,
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(insert sealed_bids [
        item_id uuid, receipt bigint, id uuid, auction_id uuid, bidder_id uuid, currency_profile_id uuid, amount text,
        representation text, normalized_amount text, is_anonymous boolean, placed_by uuid, created_at bigint,
        ended_at bigint, withdrawn_by uuid, tickets bigint,
    ]);
    let row = |(bid, ended): (&SealedBid, Option<BidEnd>)| -> Result<_, DbError> {
        let counts = bid.entered.entered_representation.as_ref().map(json).transpose()?;
        Ok(row![
            bid.item_id,
            bid.receipt,
            bid.id,
            bid.auction_id,
            bid.bidder.id,
            bid.currency_profile_id,
            bid.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()),
            counts,
            bid.normalized.to_string(),
            bid.is_anonymous,
            bid.clerk.as_ref().map(|clerk| clerk.id),
            bid.created_at,
            ended.map(|ended| ended.at),
            ended.and_then(|ended| ended.withdrawn_by),
            bid.tickets,
        ])
    };
    writes.add(STATEMENT, bids.map(row).collect::<Result<Vec<_>, _>>()?);
    Ok(())
}
