//! Outcomes in SQL.

pub mod results;

use rules_engine::money::{Amount, Normalized};
use rules_engine::{BidForm, EnteredCount};

use crate::engine::entered;
use crate::ids::{AuctionId, CurrencyId, ItemId, OutcomeId, UserId};
use crate::items::bidding::LeadingBid;
use crate::items::outcomes::list::StoredOutcome;
use crate::items::outcomes::{Closing, Outcome, OutcomeResult, ResultKind, SoldBid};
use crate::usage::ledger::{LedgerRange, in_ranges, ranges};
use accounts::Person;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Parsed, Transaction, WriteBatch, bulk_statement, json, query,
    query_scalar, row,
};
use platform::time::Moment;

/// The columns of an [`OutcomeRow`], from [`outcome_tables`].
macro_rules! outcome_columns {
    () => {
        "o.number AS outcome_number, o.result AS outcome_result, o.sequence AS outcome_sequence, o.winner_id,
         o.winner_name, o.reason AS outcome_reason, o.by_id, y.name AS by_name, o.paid_at, o.collected_at,
         o.created_at AS decided_at,
         COALESCE(w.currency_profile_id, o.currency_profile_id) AS sold_profile_id,
         COALESCE(w.amount, o.amount) AS sold_amount,
         COALESCE(w.representation, o.representation) AS sold_representation,
         COALESCE(w.normalized_amount, o.normalized_amount) AS sold_normalized,
         w.is_anonymous AS sold_is_anonymous"
    };
}

/// The bid `w` that an outcome `o` was sold for, if it was one, and the user `y` who decided it.
macro_rules! outcome_tables {
    () => {
        " LEFT JOIN bids w ON w.auction_id = o.auction_id AND w.position = o.position
         LEFT JOIN users y ON y.id = o.by_id "
    };
}

/// An outcome as stored. All is absent for an item without one.
#[derive(sqlx_macros::FromRow)]
pub(super) struct OutcomeRow {
    outcome_number: Option<i64>,
    outcome_result: Option<ResultKind>,
    outcome_sequence: Option<i64>,
    winner_id: Option<UserId>,
    winner_name: Option<String>,
    outcome_reason: Option<String>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    paid_at: Option<Moment>,
    collected_at: Option<Moment>,
    decided_at: Option<Moment>,
    sold_profile_id: Option<CurrencyId>,
    sold_amount: Option<Parsed<Amount>>,
    sold_representation: Option<Json<Vec<EnteredCount>>>,
    sold_normalized: Option<Parsed<Normalized>>,
    sold_is_anonymous: Option<bool>,
}

impl OutcomeRow {
    /// The outcome of the item, if it has one.
    pub(super) fn read(self, item_id: ItemId) -> Result<Option<Outcome>, DbError> {
        let (Some(number), Some(kind), Some(created_at)) =
            (self.outcome_number, self.outcome_result, self.decided_at)
        else {
            return Ok(None);
        };
        let name = |name: Option<String>| name.unwrap_or_else(|| Person::DELETED.to_owned());
        Ok(Some(Outcome {
            number,
            reason: self.outcome_reason.clone(),
            by: self.by_id.map(|id| Person { id, name: name(self.by_name.clone()) }),
            paid_at: self.paid_at,
            collected_at: self.collected_at,
            created_at,
            result: match kind {
                ResultKind::Sold => OutcomeResult::Sold(Box::new(self.sold(item_id)?)),
                ResultKind::Unsold => OutcomeResult::Unsold,
                ResultKind::Cancelled => OutcomeResult::Cancelled,
            },
        }))
    }

    fn sold(self, item_id: ItemId) -> Result<SoldBid, DbError> {
        let lacks = |column: &str| DbError::missing("outcomes", column, item_id);
        Ok(SoldBid {
            winner: Person {
                id: self.winner_id.ok_or_else(|| lacks("winner_id"))?,
                name: self.winner_name.ok_or_else(|| lacks("winner_name"))?,
            },
            is_anonymous: self.sold_is_anonymous.unwrap_or(self.outcome_sequence.is_some()),
            sequence: self.outcome_sequence,
            currency_id: self.sold_profile_id,
            entered: entered(self.sold_amount.map(|amount| amount.0.into()), self.sold_representation),
            normalized: self.sold_normalized.ok_or_else(|| lacks("normalized_amount"))?.0,
        })
    }
}

/// Closes items that are not closed yet, each with its first outcome, which gets the given id: sold to the
/// leader, unless it is passed or cancelled, or unsold. In an auction with a book the charge pays for the
/// item at once. Each is closed at a moment of its own.
pub fn close<'a>(
    writes: &mut WriteBatch,
    items: impl Iterator<Item = (ItemId, OutcomeId, &'a Closing, Moment)> + Clone,
) {
    const OUTCOMES: BulkStatement = bulk_statement!(
        "INSERT INTO outcomes
             (id, auction_id, item_id, number, result, sequence, position, winner_id, winner_name, reason, by_id,
              paid_at, created_at)
         SELECT given.id, i.auction_id, i.id, 1,
                COALESCE(given.unsold, CASE WHEN b.sequence IS NULL THEN 'UNSOLD' ELSE 'SOLD' END),
                b.sequence, b.position, b.bidder_id, u.name, given.reason,
                CASE WHEN i.ends_at <= given.now THEN NULL ELSE given.by_id END,
                CASE WHEN a.book_id IS NOT NULL AND b.sequence IS NOT NULL THEN given.now END, given.now
         FROM",
        [id uuid, item_id uuid, unsold text, reason text, by_id uuid, now bigint],
        "JOIN items_now i ON i.id = given.item_id
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN bids b
         ON b.auction_id = i.auction_id AND b.position = i.leading_position AND given.unsold IS NULL
         LEFT JOIN users u ON u.id = b.bidder_id
         WHERE i.closed_at IS NULL"
    );
    const ITEMS: BulkStatement = bulk_statement!(
        "UPDATE items SET closed_at = given.now, version = items.version + 1, updated_at = given.now FROM",
        [id uuid, now bigint],
        "WHERE items.id = given.id AND items.closed_at IS NULL"
    );
    let outcome = |(item_id, outcome_id, closing, now): (ItemId, OutcomeId, &Closing, Moment)| {
        row![
            outcome_id,
            item_id,
            closing.unsold().map(ResultKind::as_str),
            closing.reason(),
            closing.by(),
            now
        ]
    };
    writes.add(OUTCOMES, items.clone().map(outcome));
    writes.add(ITEMS, items.map(|(item_id, _, _, now)| row![item_id, now]));
}

/// A further outcome of a closed item.
#[derive(Debug)]
pub struct Decided {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub number: i64,
    /// The bid that the item is sold for.
    pub bid: Option<LeadingBid>,
    pub reason: String,
    pub by: UserId,
}

/// Adds an outcome. In an auction with a book the charge pays for the item at once.
pub async fn decide(conn: &mut Transaction, decided: Decided, now: Moment) -> Result<(), DbError> {
    query(
        "INSERT INTO outcomes
             (id, auction_id, item_id, number, result, sequence, position, winner_id, winner_name, reason, by_id,
              paid_at, created_at)
         SELECT $1, i.auction_id, i.id, $2, CASE WHEN b.sequence IS NULL THEN 'UNSOLD' ELSE 'SOLD' END,
                b.sequence, b.position, b.bidder_id, u.name, $3, $4,
                CASE WHEN a.book_id IS NOT NULL AND b.sequence IS NOT NULL THEN $5 END, $5
         FROM items i
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = $6
         LEFT JOIN users u ON u.id = b.bidder_id
         WHERE i.id = $7",
    )
    .bind(decided.id)
    .bind(decided.number)
    .bind(decided.reason)
    .bind(decided.by)
    .bind(now)
    .bind(decided.bid.map(|bid| bid.position))
    .bind(decided.item_id)
    .execute(&mut *conn)
    .await?;
    raise_version(conn, decided.item_id, now).await
}

/// A correction: what a closed item was sold for in the hall, and to whom.
#[derive(Debug)]
pub struct Corrected<'a> {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub number: i64,
    pub winner: &'a Person,
    pub currency_id: Option<CurrencyId>,
    pub entered: &'a BidForm,
    pub normalized: Normalized,
    pub reason: String,
    pub by: UserId,
}

/// Adds an outcome without a bid. In an auction with a book the charge pays for the item at once.
pub async fn correct(conn: &mut Transaction, corrected: Corrected<'_>, now: Moment) -> Result<(), DbError> {
    let counts = corrected.entered.entered_representation.as_ref().map(json).transpose()?;
    query(
        "INSERT INTO outcomes
             (id, auction_id, item_id, number, result, winner_id, winner_name, currency_profile_id, amount,
              representation, normalized_amount, reason, by_id, paid_at, created_at)
         SELECT $1, i.auction_id, i.id, $2, 'SOLD', $3, $4, $5, $6, $7, $8, $9, $10,
                CASE WHEN a.book_id IS NOT NULL THEN $11 END, $11
         FROM items i JOIN auctions a ON a.id = i.auction_id WHERE i.id = $12",
    )
    .bind(corrected.id)
    .bind(corrected.number)
    .bind(corrected.winner.id)
    .bind(&corrected.winner.name)
    .bind(corrected.currency_id)
    .bind(corrected.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()))
    .bind(counts)
    .bind(String::from(corrected.normalized))
    .bind(corrected.reason)
    .bind(corrected.by)
    .bind(now)
    .bind(corrected.item_id)
    .execute(&mut *conn)
    .await?;
    raise_version(conn, corrected.item_id, now).await
}

/// Writes when an outcome was paid and collected.
pub async fn mark(
    conn: &mut Transaction,
    item_id: ItemId,
    outcome: &Outcome,
    now: Moment,
) -> Result<(), DbError> {
    query("UPDATE outcomes SET paid_at = $1, collected_at = $2 WHERE item_id = $3 AND number = $4")
        .bind(outcome.paid_at)
        .bind(outcome.collected_at)
        .bind(item_id)
        .bind(outcome.number)
        .execute(&mut *conn)
        .await?;
    raise_version(conn, item_id, now).await
}

async fn raise_version(conn: &mut Transaction, item_id: ItemId, now: Moment) -> Result<(), DbError> {
    query("UPDATE items SET version = version + 1, updated_at = $1 WHERE id = $2")
        .bind(now)
        .bind(item_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// A bid of an item, if it stands.
pub async fn standing(
    conn: &mut Connection,
    item_id: ItemId,
    sequence: i64,
) -> Result<Option<LeadingBid>, DbError> {
    let row: Option<(i64, UserId, Parsed<Normalized>, Option<i64>)> = query(in_ranges!(
        "b.position, b.bidder_id, b.normalized_amount, w.number",
        "LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence",
        ""
    ))
    .bind(ranges([LedgerRange::one(item_id, sequence)])?)
    .fetch_optional(conn)
    .await?;
    let standing = row.filter(|(.., withdrawal)| withdrawal.is_none());
    let bid = |(position, bidder_id, Parsed(normalized), _)| LeadingBid {
        sequence,
        position,
        bidder_id,
        normalized,
    };
    Ok(standing.map(bid))
}

#[derive(sqlx_macros::FromRow)]
struct ListedRow {
    id: OutcomeId,
    item_id: ItemId,
    seller_id: UserId,
    in_force: bool,
    #[sqlx(flatten)]
    outcome: OutcomeRow,
}

/// Outcomes of an auction in the order in which they were created. With `drafts_of` those of drafts only if
/// they are this user's.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    drafts_of: Option<UserId>,
    after: Option<OutcomeId>,
    limit: i64,
) -> Result<Vec<StoredOutcome>, DbError> {
    let rows: Vec<ListedRow> = query(concat!(
        "SELECT o.id, o.item_id, i.seller_id, (o.number = i.outcome_number) AS in_force, ",
        outcome_columns!(),
        " FROM outcomes o JOIN items_now i ON i.id = o.item_id",
        outcome_tables!(),
        "WHERE o.auction_id = $1 AND (i.is_published OR $2 IS NULL OR i.creator_id = $2)
           AND ($3 IS NULL OR o.id > $3)
         ORDER BY o.id LIMIT $4"
    ))
    .bind(auction_id)
    .bind(drafts_of)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let read = |row: ListedRow| {
        let outcome = row.outcome.read(row.item_id)?;
        let outcome = outcome.ok_or_else(|| DbError::missing("outcomes", "number", row.item_id))?;
        Ok(StoredOutcome {
            id: row.id,
            item_id: row.item_id,
            seller_id: row.seller_id,
            in_force: row.in_force,
            outcome,
        })
    };
    rows.into_iter().map(read).collect()
}

/// The items with the newest outcomes of an auction, the newest first.
pub async fn newest_items(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: i64,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar("SELECT item_id FROM outcomes WHERE auction_id = $1 ORDER BY id DESC LIMIT $2")
        .bind(auction_id)
        .bind(limit)
        .fetch_all(conn)
        .await
}

/// How many published items of an auction are not closed yet.
pub async fn count_open(conn: &mut Connection, auction_id: AuctionId) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM items WHERE auction_id = $1 AND closed_at IS NULL AND is_published")
        .bind(auction_id)
        .fetch_one(conn)
        .await
}

/// Items of an auction that have ended by their own ends and are not closed yet.
pub async fn ended(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar(
        "SELECT id FROM items WHERE auction_id = $1 AND closed_at IS NULL AND end_date <= $2 ORDER BY end_date, lot_key",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_all(conn)
    .await
}

/// Items in all auctions whose end has come and that are not closed yet, in the order of their ends.
pub async fn due(
    conn: &mut Connection,
    now: Moment,
    most: usize,
) -> Result<Vec<(AuctionId, ItemId)>, DbError> {
    query(
        "SELECT auction_id, id FROM (
             SELECT i.auction_id, i.id, i.lot_key, i.end_date AS ends_at
             FROM items i JOIN auctions a ON a.id = i.auction_id
             WHERE i.closed_at IS NULL AND i.end_date <= $1 AND a.item_end_mode <> 'NONE'
             UNION ALL
             SELECT i.auction_id, i.id, i.lot_key, a.end_date
             FROM auctions a JOIN items i ON i.auction_id = a.id
             WHERE a.closed_at IS NULL AND a.end_date <= $1
               AND i.closed_at IS NULL AND (i.end_date IS NULL OR a.item_end_mode = 'NONE')
         ) AS due ORDER BY ends_at, auction_id, lot_key LIMIT $2",
    )
    .bind(now)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .fetch_all(conn)
    .await
}

/// The next end of an item or an auction after `now`.
pub async fn next_end(conn: &mut Connection, now: Moment) -> Result<Option<Moment>, DbError> {
    query_scalar(
        "SELECT MIN(ends_at) FROM (
             SELECT MIN(end_date) AS ends_at FROM items WHERE closed_at IS NULL AND end_date > $1
             UNION ALL
             SELECT MIN(end_date) FROM auctions WHERE closed_at IS NULL AND end_date > $1
         ) AS ends",
    )
    .bind(now)
    .fetch_one(conn)
    .await
}

pub(super) use {outcome_columns, outcome_tables};
