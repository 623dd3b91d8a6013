//! The ledger and the idempotency keys in SQL.

use std::collections::HashMap;

use rules_engine::money::Amount;
use rules_engine::{BidForm, EnteredCount};

use crate::bids::Bid;
use crate::bids::idempotency::{IdempotencyKey, KeyedRequest};
use crate::clock::Moment;
use crate::db::rows::{self, Statement};
use crate::db::{Connection, DbError};
use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use crate::items::Person;

/// Keys that one purge removes, so that it holds up no bid.
const PURGED_MAX: i64 = 1000;

/// What every query of bids selects, and from where.
macro_rules! select {
    () => {
        "SELECT b.item_id, b.sequence, b.id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id, b.amount,
                b.representation, b.normalized_amount, b.is_anonymous, b.item_end_date, b.created_at
         FROM bids b LEFT JOIN users u ON u.id = b.bidder_id "
    };
}

/// A bid as its row holds it; its auction is its item's.
#[derive(sqlx::FromRow)]
struct BidRow {
    item_id: String,
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

impl BidRow {
    fn read(self, auction_id: AuctionId) -> Result<Bid, DbError> {
        let corrupt = |what: &str| DbError::Corrupt(format!("bid `{}` with a {what}", self.id));
        let moment = |millis| Moment::from_millis(millis).ok_or_else(|| corrupt("moment out of range"));
        let amount = self.amount.as_deref().map(str::parse::<Amount>).transpose();
        let counts =
            self.representation.as_deref().map(serde_json::from_str::<Vec<EnteredCount>>).transpose();
        Ok(Bid {
            id: self.id.parse().map_err(|_| corrupt("strange id"))?,
            auction_id,
            item_id: self.item_id.parse().map_err(|_| corrupt("strange item"))?,
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

/// Adds bids to the ledger. Its key refuses a sequence that is taken.
pub async fn insert(conn: &mut Connection, bids: &[&Bid]) -> Result<(), DbError> {
    for group in rows::split(bids) {
        let mut statement = Statement::new(
            "INSERT INTO bids (item_id, sequence, id, bidder_id, currency_profile_id, amount, representation,
                               normalized_amount, is_anonymous, item_end_date, created_at) ",
        );
        let representations: Vec<_> =
            group.iter().map(|bid| representation(bid)).collect::<Result<_, _>>()?;
        statement.push_values(group.iter().zip(representations), |mut row, (bid, representation)| {
            row.push_bind(bid.item_id.to_string())
                .push_bind(bid.sequence)
                .push_bind(bid.id.to_string())
                .push_bind(bid.bidder.id.to_string())
                .push_bind(bid.currency_profile_id.map(|id| id.to_string()))
                .push_bind(bid.entered.amount.as_ref().map(ToString::to_string))
                .push_bind(representation)
                .push_bind(bid.normalized.to_string())
                .push_bind(bid.is_anonymous)
                .push_bind(bid.item_end_date.map(Moment::millis))
                .push_bind(bid.created_at.millis());
        });
        statement.build().execute(&mut *conn).await?;
    }
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
    let rows: Vec<BidRow> = sqlx::query_as(concat!(
        select!(),
        "WHERE b.item_id = $1 AND b.sequence < $2 ORDER BY b.sequence DESC LIMIT $3"
    ))
    .bind(item_id.to_string())
    .bind(before)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// An item's bids past `after`, oldest first.
pub async fn following(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    after: i64,
    limit: i64,
) -> Result<Vec<Bid>, DbError> {
    let rows: Vec<BidRow> = sqlx::query_as(concat!(
        select!(),
        "WHERE b.item_id = $1 AND b.sequence > $2 ORDER BY b.sequence LIMIT $3"
    ))
    .bind(item_id.to_string())
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(auction_id)).collect()
}

/// Whether any bid is entered in this currency profile.
pub async fn any_in_currency(conn: &mut Connection, currency_id: CurrencyId) -> Result<bool, DbError> {
    let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM bids WHERE currency_profile_id = $1)")
        .bind(currency_id.to_string())
        .fetch_one(conn)
        .await?;
    Ok(found)
}

/// A key, within one bidder and one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyOf {
    pub bidder_id: UserId,
    pub item_id: ItemId,
    pub key: IdempotencyKey,
}

/// What a key already stands for.
#[derive(Debug, Clone)]
pub struct KeptKey {
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

/// Those of `wanted` that stand for a bid already.
pub async fn find_keys(conn: &mut Connection, wanted: &[KeyOf]) -> Result<HashMap<KeyOf, KeptKey>, DbError> {
    let mut found = HashMap::new();
    for group in rows::padded(wanted) {
        let mut statement = Statement::new(
            "SELECT user_id, item_id, key, request_hash, sequence FROM idempotency_keys
             WHERE (user_id, item_id, key) IN (",
        );
        statement.push_values(group, |mut row, wanted| {
            row.push_bind(wanted.bidder_id.to_string())
                .push_bind(wanted.item_id.to_string())
                .push_bind(wanted.key.as_str().to_owned());
        });
        let rows: Vec<KeyRow> = statement.push(")").build_query_as().fetch_all(&mut *conn).await?;
        for row in rows {
            let corrupt = |_| DbError::Corrupt(format!("the idempotency key `{}` of strange ids", row.key));
            let key = KeyOf {
                bidder_id: row.user_id.parse().map_err(corrupt)?,
                item_id: row.item_id.parse().map_err(corrupt)?,
                key: row.key.parse().map_err(|_| DbError::Corrupt("a strange idempotency key".to_owned()))?,
            };
            found.insert(key, KeptKey { request_hash: row.request_hash, sequence: row.sequence });
        }
    }
    Ok(found)
}

/// Keeps the keys of accepted bids.
pub async fn insert_keys(conn: &mut Connection, keys: &[(&Bid, &KeyedRequest)]) -> Result<(), DbError> {
    for group in rows::split(keys) {
        let mut statement = Statement::new(
            "INSERT INTO idempotency_keys (user_id, item_id, key, request_hash, sequence, created_at) ",
        );
        statement.push_values(group, |mut row, (bid, keyed)| {
            row.push_bind(bid.bidder.id.to_string())
                .push_bind(bid.item_id.to_string())
                .push_bind(keyed.key.as_str().to_owned())
                .push_bind(keyed.hash().to_owned())
                .push_bind(bid.sequence)
                .push_bind(bid.created_at.millis());
        });
        statement.build().execute(&mut *conn).await?;
    }
    Ok(())
}

/// Removes keys that came before `before`, of items whose end has come by `now`.
pub async fn purge_keys(conn: &mut Connection, before: Moment, now: Moment) -> Result<u64, DbError> {
    let purged = sqlx::query(
        "DELETE FROM idempotency_keys WHERE (user_id, item_id, key) IN (
             SELECT k.user_id, k.item_id, k.key FROM idempotency_keys k
             JOIN items i ON i.id = k.item_id JOIN auctions a ON a.id = i.auction_id
             WHERE k.created_at < $1
               AND (i.closed_at IS NOT NULL OR a.closed_at IS NOT NULL
                    OR (a.item_end_mode <> 'NONE' AND COALESCE(i.end_date, a.end_date) <= $2))
             LIMIT $3)",
    )
    .bind(before.millis())
    .bind(now.millis())
    .bind(PURGED_MAX)
    .execute(conn)
    .await?;
    Ok(purged.rows_affected())
}
