//! The ledger and the idempotency keys in SQL.

pub mod bidders;
pub mod clerks;
pub mod leads;
pub mod prices;
pub mod sealed;
pub mod withdrawals;

use std::collections::{HashMap, HashSet};

use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use crate::bids::idempotency::{IdempotencyKey, KeyedRequest};
use crate::bids::store::clerks::StoredClerk;
use crate::bids::store::withdrawals::StoredWithdrawal;
use crate::bids::{Bid, BidSelection};
use crate::engine::entered;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::path::ItemPath;
use crate::usage::ledger::{LedgerRange, in_ranges, ranges};
use accounts::Person;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Parsed, WriteBatch, bulk_statement, concatcp, for_each_row,
    json, query, query_scalar, row, rows,
};
use platform::time::Moment;

/// What every query of bids selects.
const COLUMNS: &str = "b.item_id, b.sequence, b.position, b.id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id, b.amount,
         b.representation, b.normalized_amount, b.is_anonymous, b.item_end_date, b.created_at,
         w.number AS withdrawal_number, w.withdrawn_at, w.withdrawn_by, w.user_id AS withdrawal_user_id,
         w.reason AS withdrawal_reason, w.note AS withdrawal_note,
         k.placed_by AS clerk_id, v.name AS clerk_name, k.overridden";

/// What every query of bids `b` joins to them.
const JOINS: &str = " LEFT JOIN users u ON u.id = b.bidder_id
          LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence
          LEFT JOIN clerk_bids k ON k.item_id = b.item_id AND k.sequence = b.sequence
          LEFT JOIN users v ON v.id = k.placed_by ";

/// Selects withdrawn bids of the item `$1`.
const WITHDRAWN: &str = concatcp!(
    "SELECT ",
    COLUMNS,
    " FROM withdrawals w
              JOIN bids b ON b.auction_id = w.auction_id AND b.position = w.position
              LEFT JOIN users u ON u.id = b.bidder_id
              LEFT JOIN clerk_bids k ON k.item_id = b.item_id AND k.sequence = b.sequence
              LEFT JOIN users v ON v.id = k.placed_by
              WHERE w.item_id = $1 AND "
);

/// Distance of the marked bids around this bid of an item: the first ones are nearer, since a chart of many
/// bids reads marked ones only. Multiples of a later distance are marked at every earlier one.
pub fn mark_every(sequence: i64) -> i64 {
    match sequence {
        ..=512 => 8,
        513..=1_024 => 16,
        _ => 32,
    }
}

/// A row of the ledger. The query that reads it knows the auction.
#[derive(sqlx_macros::FromRow)]
struct StoredBid {
    item_id: ItemId,
    sequence: i64,
    position: i64,
    id: BidId,
    bidder_id: UserId,
    bidder_name: Option<String>,
    currency_profile_id: Option<CurrencyId>,
    amount: Option<Parsed<Amount>>,
    representation: Option<Json<Vec<EnteredCount>>>,
    normalized_amount: Parsed<Normalized>,
    is_anonymous: bool,
    item_end_date: Option<Moment>,
    created_at: Moment,
    #[sqlx(flatten)]
    withdrawal: StoredWithdrawal,
    #[sqlx(flatten)]
    clerk: StoredClerk,
}

impl StoredBid {
    fn read(self, auction_id: AuctionId) -> Result<Bid, DbError> {
        Ok(Bid {
            id: self.id,
            auction_id,
            item_id: self.item_id,
            sequence: self.sequence,
            position: self.position,
            bidder: Person {
                id: self.bidder_id,
                name: self.bidder_name.unwrap_or_else(|| Person::DELETED.to_owned()),
            },
            currency_profile_id: self.currency_profile_id,
            entered: entered(self.amount.map(|amount| amount.0.into()), self.representation),
            normalized: self.normalized_amount.0,
            is_anonymous: self.is_anonymous,
            item_end_date: self.item_end_date,
            created_at: self.created_at,
            withdrawn: self.withdrawal.read(self.item_id)?,
            by_clerk: self.clerk.read().map(Box::new),
        })
    }
}

/// Whether this very bid is in the ledger.
pub async fn exists(conn: &mut Connection, bid: &Bid) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bids WHERE auction_id = $1 AND position = $2 AND id = $3)";
    let query = query_scalar(sql).bind(bid.auction_id).bind(bid.position).bind(bid.id);
    query.fetch_one(conn).await
}

/// Appends bids to the ledger, each with the place of the bid before it on the item. The key of the ledger
/// refuses a place that is taken.
pub fn insert<'a>(
    writes: &mut WriteBatch,
    bids: impl Iterator<Item = (&'a Bid, Option<i64>)>,
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(insert bids [
        auction_id uuid, position bigint, previous bigint, item_id uuid, sequence bigint, id uuid, bidder_id uuid,
        currency_profile_id uuid, amount text, representation text, normalized_amount text, is_anonymous boolean,
        item_end_date bigint, created_at bigint,
    ]);
    let row = |(bid, previous): (&Bid, Option<i64>)| {
        Ok(row![
            bid.auction_id,
            bid.position,
            previous,
            bid.item_id,
            bid.sequence,
            bid.id,
            bid.bidder.id,
            bid.currency_profile_id,
            bid.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()),
            representation(bid)?,
            String::from(bid.normalized),
            bid.is_anonymous,
            bid.item_end_date,
            bid.created_at,
        ])
    };
    writes.add(STATEMENT, bids.map(row).collect::<Result<Vec<_>, DbError>>()?);
    Ok(())
}

/// Marks the places of some of these bids, so that the bids of an item before them are found.
pub fn mark<'a>(writes: &mut WriteBatch, bids: impl Iterator<Item = &'a Bid>) {
    const STATEMENT: BulkStatement =
        bulk_statement!(insert bid_marks [item_id uuid, sequence bigint, position bigint]);
    let marked = bids.filter(|bid| bid.sequence % mark_every(bid.sequence) == 0);
    writes.add(STATEMENT, marked.map(|bid| row![bid.item_id, bid.sequence, bid.position]));
}

/// The counts as JSON text; their numbers are strings in it.
fn representation(bid: &Bid) -> Result<Option<String>, DbError> {
    let counts = bid.entered.entered_representation.as_ref();
    counts.map(json).transpose()
}

/// One bid of an item.
pub async fn find(conn: &mut Connection, item: ItemPath, sequence: i64) -> Result<Option<Bid>, DbError> {
    Ok(in_range(conn, item.auction_id, LedgerRange::one(item.item_id, sequence)).await?.pop())
}

/// The first `limit` of the selected bids of an item.
pub async fn select(
    conn: &mut Connection,
    item: ItemPath,
    selection: BidSelection,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    const AFTER: &str = concatcp!(WITHDRAWN, "w.number > $2 ORDER BY w.number LIMIT $3");
    const UP_TO: &str = concatcp!(WITHDRAWN, "w.sequence <= $2 ORDER BY w.sequence LIMIT $3");
    let ItemPath { auction_id, item_id } = item;
    match selection {
        BidSelection::Below(sequence) => {
            let range = LedgerRange { item_id, low: 1, high: sequence.saturating_sub(1), most: limit };
            let mut bids = in_range(conn, auction_id, range).await?;
            bids.reverse();
            Ok(bids)
        }
        BidSelection::Above(sequence) => {
            let (low, high) = (sequence.saturating_add(1), sequence.saturating_add(limit));
            in_range(conn, auction_id, LedgerRange { item_id, low, high, most: limit }).await
        }
        BidSelection::WithdrawnAfter(number) => withdrawn(conn, AFTER, item, number, limit).await,
        BidSelection::WithdrawnUpTo(sequence) => withdrawn(conn, UP_TO, item, sequence, limit).await,
    }
}

/// The first `limit` bids of an auction past a place in its ledger, in the order in which they were accepted.
pub async fn of_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: i64,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<StoredBid> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        " FROM bids b",
        JOINS,
        "WHERE b.auction_id = $1 AND b.position > $2 ORDER BY b.position LIMIT $3"
    ))
    .bind(auction_id)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// The bids of a range, oldest first.
async fn in_range(
    conn: &mut Connection,
    auction_id: AuctionId,
    range: LedgerRange,
) -> Result<Vec<Bid>, DbError> {
    let sql = in_ranges!(COLUMNS, JOINS, "ORDER BY b.sequence");
    let rows: Vec<StoredBid> = query(sql).bind(ranges([range])?).fetch_all(conn).await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// The withdrawn bids that `sql` selects: `$1` is the item, `$2` a place in its list, and `$3` the most bids.
async fn withdrawn(
    conn: &mut Connection,
    sql: &'static str,
    ItemPath { auction_id, item_id }: ItemPath,
    place: i64,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<StoredBid> = query(sql).bind(item_id).bind(place).bind(limit).fetch_all(conn).await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// A key, within one user and one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScopedKey {
    pub user_id: UserId,
    pub item_id: ItemId,
    pub key: IdempotencyKey,
}

/// The bid that a key stands for.
#[derive(Debug, Clone)]
pub struct StoredKey {
    pub request_hash: String,
    pub sequence: i64,
}

/// The keys among `wanted` that stand for a bid already.
pub async fn find_keys(
    conn: &mut Connection,
    wanted: &HashSet<&ScopedKey>,
) -> Result<HashMap<ScopedKey, StoredKey>, DbError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let row = |key: &&ScopedKey| (key.user_id, key.item_id, key.key.as_str().to_owned());
    let kept: Vec<(UserId, ItemId, IdempotencyKey, String, i64)> = query(for_each_row!(
        "SELECT k.user_id, k.item_id, k.key, k.request_hash, k.sequence FROM",
        [user_id id, item_id id, key text],
        "JOIN idempotency_keys k ON k.user_id = given.user_id AND k.item_id = given.item_id AND k.key = given.key"
    ))
    .bind(rows(wanted.iter().map(row))?)
    .fetch_all(conn)
    .await?;
    let stored = |(user_id, item_id, key, request_hash, sequence)| {
        (ScopedKey { user_id, item_id, key }, StoredKey { request_hash, sequence })
    };
    Ok(kept.into_iter().map(stored).collect())
}

/// The key of an executed request, with the sequence of its bid.
#[derive(Debug)]
pub struct NewKey<'a> {
    pub user_id: UserId,
    pub item_id: ItemId,
    pub keyed: &'a KeyedRequest,
    pub sequence: i64,
    pub at: Moment,
}

/// Keeps the keys of executed requests.
pub fn insert_keys<'a>(writes: &mut WriteBatch, keys: impl Iterator<Item = NewKey<'a>>) {
    const STATEMENT: BulkStatement = bulk_statement!(insert idempotency_keys [
        user_id uuid, item_id uuid, key text, request_hash text, sequence bigint, created_at bigint,
    ]);
    let row = |NewKey { user_id, item_id, keyed, sequence, at }: NewKey<'a>| {
        row![user_id, item_id, keyed.key.as_str(), keyed.hash(), sequence, at]
    };
    writes.add(STATEMENT, keys.map(row));
}

/// Removes keys that came before `before`, of items whose end has come by `now`: not all at once, so that it
/// holds up no bid.
pub fn purge_keys(writes: &mut WriteBatch, before: Moment, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "DELETE FROM idempotency_keys WHERE (user_id, item_id, key) IN (
             SELECT k.user_id, k.item_id, k.key FROM",
        [before bigint, now bigint],
        "JOIN idempotency_keys k ON k.created_at < given.before
             JOIN items_now i ON i.id = k.item_id
             WHERE i.closed_for_good_at IS NOT NULL OR i.ends_at <= given.now
             LIMIT 1000)"
    );
    writes.add(STATEMENT, [row![before, now]]);
}
