//! The ledger and the idempotency keys in SQL.

use std::collections::HashMap;

use rules_engine::money::Amount;
use rules_engine::{BidForm, EnteredCount};

use crate::accounts::Person;
use crate::bids::Bid;
use crate::bids::idempotency::{IdempotencyKey, KeyedRequest};
use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use platform::db::{
    Change, Connection, DbError, Script, cells, change, for_each_row, query, query_scalar, rows,
};
use platform::time::Moment;

/// What every query of bids selects, and from where.
macro_rules! select {
    () => {
        "SELECT b.sequence, b.id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id, b.amount,
                b.representation, b.normalized_amount, b.is_anonymous, b.item_end_date, b.created_at
         FROM bids b LEFT JOIN users u ON u.id = b.bidder_id "
    };
}

/// A row of the ledger. The query that reads it knows the item and its auction.
#[derive(sqlx::FromRow)]
struct StoredBid {
    sequence: i64,
    id: String,
    bidder_id: String,
    bidder_name: Option<String>,
    currency_profile_id: Option<String>,
    amount: Option<String>,
    representation: Option<String>,
    normalized_amount: String,
    is_anonymous: bool,
    item_end_date: Option<i64>,
    created_at: i64,
}

impl StoredBid {
    fn read(self, auction_id: AuctionId, item_id: ItemId) -> Result<Bid, DbError> {
        let corrupt = |what: &str| DbError::Corrupt(format!("bid `{}` with a {what}", self.id));
        let moment = |millis| Moment::from_millis(millis).ok_or_else(|| corrupt("moment out of range"));
        let amount = self.amount.as_deref().map(str::parse::<Amount>).transpose();
        let counts =
            self.representation.as_deref().map(serde_json::from_str::<Vec<EnteredCount>>).transpose();
        Ok(Bid {
            id: self.id.parse().map_err(|_| corrupt("strange id"))?,
            auction_id,
            item_id,
            sequence: self.sequence,
            bidder: Person {
                id: self.bidder_id.parse().map_err(|_| corrupt("strange bidder"))?,
                name: self.bidder_name.unwrap_or_else(|| Person::DELETED.to_owned()),
            },
            currency_profile_id: (self.currency_profile_id.as_deref().map(str::parse).transpose())
                .map_err(|_| corrupt("strange currency"))?,
            entered: BidForm {
                amount: amount.map_err(|_| corrupt("strange amount"))?.map(Into::into),
                entered_representation: counts.map_err(|_| corrupt("strange representation"))?,
            },
            normalized: self.normalized_amount.parse().map_err(|_| corrupt("strange normalized amount"))?,
            is_anonymous: self.is_anonymous,
            item_end_date: self.item_end_date.map(moment).transpose()?,
            created_at: moment(self.created_at)?,
        })
    }
}

/// Whether this very bid is in the ledger.
pub async fn exists(conn: &mut Connection, bid: &Bid) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bids WHERE item_number = $1 AND sequence = $2 AND id = $3)";
    let query = query_scalar(sql).bind(bid.item_id.number()).bind(bid.sequence).bind(bid.id.to_string());
    query.fetch_one(conn).await
}

/// Adds bids to the ledger. Its key refuses a sequence that is taken.
pub fn insert<'a>(script: &mut Script, bids: impl Iterator<Item = &'a Bid>) -> Result<(), DbError> {
    const CHANGE: Change = change!(insert bids [
        item_number bigint, sequence bigint, id text, bidder_id text, currency_profile_id text, amount text,
        representation text, normalized_amount text, is_anonymous boolean, item_end_date bigint, created_at bigint,
    ]);
    let row = |bid: &Bid| {
        Ok(cells![
            bid.item_id.number(),
            bid.sequence,
            bid.id.text(),
            bid.bidder.id.text(),
            bid.currency_profile_id.map(CurrencyId::text),
            bid.entered.amount.as_ref().map(ToString::to_string),
            representation(bid)?,
            bid.normalized.to_string(),
            bid.is_anonymous,
            bid.item_end_date.map(Moment::millis),
            bid.created_at.millis(),
        ])
    };
    script.add(CHANGE, bids.map(row).collect::<Result<Vec<_>, DbError>>()?);
    Ok(())
}

/// The counts as JSON text; their numbers are strings in it.
fn representation(bid: &Bid) -> Result<Option<String>, DbError> {
    let counts = bid.entered.entered_representation.as_ref();
    counts.map(serde_json::to_string).transpose().map_err(|error| DbError::Corrupt(error.to_string()))
}

/// An item's bids below `before`, newest first.
pub async fn newest(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    before: i64,
    limit: u32,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<StoredBid> = query(concat!(
        select!(),
        "WHERE b.item_number = $1 AND b.sequence < $2 ORDER BY b.sequence DESC LIMIT $3"
    ))
    .bind(item_id.number())
    .bind(before)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id, item_id)).collect()
}

/// An item's bids past `after`, oldest first.
pub async fn following(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    after: i64,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<StoredBid> = query(concat!(
        select!(),
        "WHERE b.item_number = $1 AND b.sequence > $2 ORDER BY b.sequence LIMIT $3"
    ))
    .bind(item_id.number())
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id, item_id)).collect()
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

#[derive(sqlx::FromRow)]
struct KeyRow {
    user_id: String,
    item_id: String,
    key: String,
    request_hash: String,
    sequence: i64,
}

impl KeyRow {
    fn read(self) -> Result<(ScopedKey, StoredKey), DbError> {
        let corrupt = |_| DbError::Corrupt(format!("the idempotency key `{}` of strange ids", self.key));
        let key = ScopedKey {
            bidder_id: self.user_id.parse().map_err(corrupt)?,
            item_id: self.item_id.parse().map_err(corrupt)?,
            key: self.key.parse().map_err(|_| DbError::Corrupt("a strange idempotency key".to_owned()))?,
        };
        Ok((key, StoredKey { request_hash: self.request_hash, sequence: self.sequence }))
    }
}

/// The keys among `wanted` that stand for a bid already.
pub async fn find_keys(
    conn: &mut Connection,
    wanted: &[ScopedKey],
) -> Result<HashMap<ScopedKey, StoredKey>, DbError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let row = |key: &ScopedKey| (key.bidder_id, key.item_id, key.key.as_str().to_owned());
    let kept: Vec<KeyRow> = query(for_each_row!(
        "SELECT k.user_id, k.item_id, k.key, k.request_hash, k.sequence FROM",
        "JOIN idempotency_keys k ON k.user_id = given.value ->> 0 AND k.item_id = given.value ->> 1
             AND k.key = given.value ->> 2"
    ))
    .bind(rows(wanted.iter().map(row))?)
    .fetch_all(conn)
    .await?;
    kept.into_iter().map(KeyRow::read).collect()
}

/// Keeps the keys of accepted bids.
pub fn insert_keys<'a>(script: &mut Script, keys: impl Iterator<Item = (&'a Bid, &'a KeyedRequest)>) {
    const CHANGE: Change = change!(insert idempotency_keys [
        user_id text, item_id text, key text, request_hash text, sequence bigint, created_at bigint,
    ]);
    let row = |(bid, keyed): (&Bid, &KeyedRequest)| {
        cells![
            bid.bidder.id.text(),
            bid.item_id.text(),
            keyed.key.as_str(),
            keyed.hash(),
            bid.sequence,
            bid.created_at.millis(),
        ]
    };
    script.add(CHANGE, keys.map(row));
}

/// Removes keys that came before `before`, of items whose end has come by `now`: not all at once, so that it holds
/// up no bid.
pub fn purge_keys(script: &mut Script, before: Moment, now: Moment) {
    const CHANGE: Change = change!(
        "DELETE FROM idempotency_keys WHERE (user_id, item_id, key) IN (
             SELECT k.user_id, k.item_id, k.key FROM",
        [before bigint, now bigint],
        "JOIN idempotency_keys k ON k.created_at < given.before
             JOIN items i ON i.id = k.item_id JOIN auctions a ON a.id = i.auction_id
             WHERE i.closed_at IS NOT NULL OR a.closed_at IS NOT NULL
                OR (a.item_end_mode <> 'NONE' AND COALESCE(i.end_date, a.end_date) <= given.now)
             LIMIT 1000)"
    );
    script.add(CHANGE, [cells![before.millis(), now.millis()]]);
}
