//! The ledger and the idempotency keys in SQL.

pub mod bidders;
pub mod withdrawals;

use std::collections::{HashMap, HashSet};

use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use crate::bids::idempotency::{IdempotencyKey, KeyedRequest};
use crate::bids::store::withdrawals::StoredWithdrawal;
use crate::bids::{Bid, BidSelection, StandingPrice};
use crate::engine::entered;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::path::ItemPath;
use accounts::Person;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Parsed, WriteBatch, bulk_statement, for_each_row, json, query,
    query_scalar, row, rows,
};
use platform::time::Moment;

/// What every query of bids selects.
macro_rules! columns {
    () => {
        "b.item_id, b.sequence, b.id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id, b.amount,
         b.representation, b.normalized_amount, b.is_anonymous, b.item_end_date, b.created_at,
         w.number AS withdrawal_number, w.withdrawn_at, w.withdrawn_by, w.user_id AS withdrawal_user_id,
         w.reason AS withdrawal_reason, w.note AS withdrawal_note"
    };
}

/// What every query of bids `b` joins to them.
macro_rules! joins {
    () => {
        " LEFT JOIN users u ON u.id = b.bidder_id
          LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence "
    };
}

macro_rules! select {
    () => {
        concat!("SELECT ", crate::bids::store::columns!(), " FROM bids b", crate::bids::store::joins!())
    };
}
use {columns, joins};

/// A row of the ledger. The query that reads it knows the auction.
#[derive(sqlx_macros::FromRow)]
struct StoredBid {
    item_id: ItemId,
    sequence: i64,
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
}

impl StoredBid {
    fn read(self, auction_id: AuctionId) -> Result<Bid, DbError> {
        Ok(Bid {
            id: self.id,
            auction_id,
            item_id: self.item_id,
            sequence: self.sequence,
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
        })
    }
}

/// Whether this very bid is in the ledger.
pub async fn exists(conn: &mut Connection, bid: &Bid) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bids WHERE item_id = $1 AND sequence = $2 AND id = $3)";
    let query = query_scalar(sql).bind(bid.item_id).bind(bid.sequence).bind(bid.id);
    query.fetch_one(conn).await
}

/// Adds bids to the ledger. Its key refuses a sequence that is taken.
pub fn insert<'a>(writes: &mut WriteBatch, bids: impl Iterator<Item = &'a Bid>) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(insert bids [
        item_id uuid, sequence bigint, id uuid, bidder_id uuid, currency_profile_id uuid, amount text,
        representation text, normalized_amount text, is_anonymous boolean, item_end_date bigint, created_at bigint,
    ]);
    let row = |bid: &Bid| {
        Ok(row![
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

/// The counts as JSON text; their numbers are strings in it.
fn representation(bid: &Bid) -> Result<Option<String>, DbError> {
    let counts = bid.entered.entered_representation.as_ref();
    counts.map(json).transpose()
}

/// One bid of an item.
pub async fn find(conn: &mut Connection, item: ItemPath, sequence: i64) -> Result<Option<Bid>, DbError> {
    const ONE: &str = concat!(select!(), "WHERE b.item_id = $1 AND b.sequence = $2 LIMIT $3");
    Ok(bids(conn, ONE, item, sequence, 1).await?.pop())
}

/// The first `limit` of the selected bids of an item.
pub async fn select(
    conn: &mut Connection,
    item: ItemPath,
    selection: BidSelection,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    const BELOW: &str =
        concat!(select!(), "WHERE b.item_id = $1 AND b.sequence < $2 ORDER BY b.sequence DESC LIMIT $3");
    const ABOVE: &str =
        concat!(select!(), "WHERE b.item_id = $1 AND b.sequence > $2 ORDER BY b.sequence LIMIT $3");
    const WITHDRAWN_AFTER: &str =
        concat!(select!(), "WHERE w.item_id = $1 AND w.number > $2 ORDER BY w.number LIMIT $3");
    const WITHDRAWN_UP_TO: &str =
        concat!(select!(), "WHERE w.item_id = $1 AND w.sequence <= $2 ORDER BY w.sequence LIMIT $3");
    let (sql, place) = match selection {
        BidSelection::Below(sequence) => (BELOW, sequence),
        BidSelection::Above(sequence) => (ABOVE, sequence),
        BidSelection::WithdrawnAfter(number) => (WITHDRAWN_AFTER, number),
        BidSelection::WithdrawnUpTo(sequence) => (WITHDRAWN_UP_TO, sequence),
    };
    bids(conn, sql, item, place, limit).await
}

/// All bids of several items of one auction, by item and sequence.
pub async fn of_items(
    conn: &mut Connection,
    auction_id: AuctionId,
    items: &[ItemId],
) -> Result<Vec<Bid>, DbError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let sql = for_each_row!(
        concat!("SELECT ", columns!(), " FROM"),
        [item_id id],
        concat!("JOIN bids b ON b.item_id = given.item_id", joins!())
    );
    let rows: Vec<StoredBid> = query(sql).bind(rows(items.iter().map(|id| [*id]))?).fetch_all(conn).await?;
    let bids = rows.into_iter().map(|row| row.read(auction_id));
    let mut bids = bids.collect::<Result<Vec<Bid>, DbError>>()?;
    bids.sort_by_key(|bid| (bid.item_id, bid.sequence));
    Ok(bids)
}

/// The bids that `sql` selects: `$1` is the item, `$2` a place in its list, and `$3` the most bids.
async fn bids(
    conn: &mut Connection,
    sql: &'static str,
    ItemPath { auction_id, item_id }: ItemPath,
    place: i64,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<StoredBid> = query(sql).bind(item_id).bind(place).bind(limit).fetch_all(conn).await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// A key, within one bidder and one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScopedKey {
    pub bidder_id: UserId,
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
    let row = |key: &&ScopedKey| (key.bidder_id, key.item_id, key.key.as_str().to_owned());
    let kept: Vec<(UserId, ItemId, IdempotencyKey, String, i64)> = query(for_each_row!(
        "SELECT k.user_id, k.item_id, k.key, k.request_hash, k.sequence FROM",
        [user_id id, item_id id, key text],
        "JOIN idempotency_keys k ON k.user_id = given.user_id AND k.item_id = given.item_id AND k.key = given.key"
    ))
    .bind(rows(wanted.iter().map(row))?)
    .fetch_all(conn)
    .await?;
    let stored = |(bidder_id, item_id, key, request_hash, sequence)| {
        (ScopedKey { bidder_id, item_id, key }, StoredKey { request_hash, sequence })
    };
    Ok(kept.into_iter().map(stored).collect())
}

/// Which of these bids stand, as prices, newest first.
pub async fn prices(
    conn: &mut Connection,
    item_id: ItemId,
    sequences: &[i64],
) -> Result<Vec<StandingPrice>, DbError> {
    let rows: Vec<(i64, Moment, Parsed<Normalized>)> = query(for_each_row!(
        "SELECT b.sequence, b.created_at, b.normalized_amount FROM",
        [item_id id, sequence text],
        "JOIN bids b ON b.item_id = given.item_id AND b.sequence = CAST(given.sequence AS BIGINT)
         LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence
         WHERE w.number IS NULL ORDER BY b.sequence DESC"
    ))
    .bind(rows(sequences.iter().map(|sequence| (item_id, sequence.to_string())))?)
    .fetch_all(conn)
    .await?;
    let price = |(sequence, placed_at, Parsed(normalized))| StandingPrice { sequence, placed_at, normalized };
    Ok(rows.into_iter().map(price).collect())
}

/// Keeps the keys of accepted bids.
pub fn insert_keys<'a>(writes: &mut WriteBatch, keys: impl Iterator<Item = (&'a Bid, &'a KeyedRequest)>) {
    const STATEMENT: BulkStatement = bulk_statement!(insert idempotency_keys [
        user_id uuid, item_id uuid, key text, request_hash text, sequence bigint, created_at bigint,
    ]);
    let row = |(bid, keyed): (&Bid, &KeyedRequest)| {
        row![bid.bidder.id, bid.item_id, keyed.key.as_str(), keyed.hash(), bid.sequence, bid.created_at,]
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
