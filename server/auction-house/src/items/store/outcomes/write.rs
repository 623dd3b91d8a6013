//! Outcomes as they are written: the first, which closes the item, and those after it.

use std::collections::BTreeSet;

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use crate::ids::{CurrencyId, ItemId, OutcomeId, UserId};
use crate::items::bidding::LeadingBid;
use crate::items::outcomes::{Closing, Outcome, ResultKind};
use accounts::Person;
use platform::db::{BulkStatement, DbError, Transaction, WriteBatch, bulk_statement, json, query, row};
use platform::time::Moment;

/// The first outcome of a copy of an item, which closes the item.
#[derive(Debug, Clone)]
pub struct FirstOutcome<'a> {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub copy: i64,
    pub closing: &'a Closing,
    /// Nobody has won a copy that was sold by sealed bids.
    pub is_unsold: bool,
    pub now: Moment,
}

/// Closes items that are not closed yet with the first outcomes of their copies: sold to the leader, unless
/// it is passed, cancelled or won by nobody, or unsold. In an auction with a book the charge pays for the
/// item at once. Each is closed at a moment of its own.
pub fn close<'a>(writes: &mut WriteBatch, outcomes: impl Iterator<Item = FirstOutcome<'a>> + Clone) {
    const OUTCOMES: BulkStatement = bulk_statement!(
        "INSERT INTO outcomes
             (id, auction_id, item_id, copy, number, result, sequence, position, winner_id, winner_name, reason, by_id,
              paid_at, created_at)
         SELECT given.id, i.auction_id, i.id, given.copy, 1,
                COALESCE(given.unsold, CASE WHEN b.sequence IS NULL THEN 'UNSOLD' ELSE 'SOLD' END),
                b.sequence, b.position, b.bidder_id, u.name, given.reason,
                CASE WHEN i.ends_at <= given.now THEN NULL ELSE given.by_id END,
                CASE WHEN a.book_id IS NOT NULL AND b.sequence IS NOT NULL THEN given.now END, given.now
         FROM",
        [id uuid, item_id uuid, copy bigint, unsold text, reason text, by_id uuid, now bigint],
        "JOIN items_now i ON i.id = given.item_id
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN bids b
         ON b.auction_id = i.auction_id AND b.position = i.leading_position AND given.unsold IS NULL
         LEFT JOIN users u ON u.id = b.bidder_id
         WHERE i.closed_at IS NULL"
    );
    let row = |FirstOutcome { id, item_id, copy, closing, is_unsold, now }: FirstOutcome<'a>| {
        let unsold = closing.unsold().or(is_unsold.then_some(ResultKind::Unsold));
        row![id, item_id, copy, unsold.map(ResultKind::as_str), closing.reason(), closing.by(), now]
    };
    writes.add(OUTCOMES, outcomes.clone().map(row));
    let first = outcomes.filter(|outcome| outcome.copy == 1);
    close_items(writes, first.map(|outcome| (outcome.item_id, outcome.now)));
}

/// A copy of an item that was sold by sealed bids: the first outcome of the copy.
#[derive(Debug, Clone)]
pub struct SoldCopy {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub copy: i64,
    /// The bid of the winner, which the ledger has by then.
    pub bid: LeadingBid,
    pub currency_id: Option<CurrencyId>,
    /// The price, which is not above the bid.
    pub entered: BidForm,
    pub normalized: Normalized,
    /// None if the clock closed the item.
    pub by: Option<UserId>,
    pub now: Moment,
}

/// Sells copies of items that are not closed yet, each at a price of its own. In an auction with a book the
/// charge pays for the copy at once. An item is closed with its first copy, so that [`close`]
/// comes before for the others.
pub fn sell(writes: &mut WriteBatch, copies: &[SoldCopy]) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO outcomes
             (id, auction_id, item_id, copy, number, result, sequence, position, winner_id, winner_name,
              currency_profile_id, amount, representation, normalized_amount, by_id, paid_at, created_at)
         SELECT given.id, i.auction_id, i.id, given.copy, 1, 'SOLD', given.sequence, given.position, given.winner_id,
                COALESCE(u.name, ''), given.currency_id, given.amount, given.representation, given.normalized_amount,
                CASE WHEN i.ends_at <= given.now THEN NULL ELSE given.by_id END,
                CASE WHEN a.book_id IS NOT NULL THEN given.now END, given.now
         FROM",
        [
            id uuid, item_id uuid, copy bigint, sequence bigint, position bigint, winner_id uuid, currency_id uuid,
            amount text, representation text, normalized_amount text, by_id uuid, now bigint,
        ],
        "JOIN items_now i ON i.id = given.item_id
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN users u ON u.id = given.winner_id
         WHERE i.closed_at IS NULL"
    );
    let row = |sold: &SoldCopy| -> Result<_, DbError> {
        let counts = sold.entered.entered_representation.as_ref().map(json).transpose()?;
        Ok(row![
            sold.id,
            sold.item_id,
            sold.copy,
            sold.bid.sequence,
            sold.bid.position,
            sold.bid.bidder_id,
            sold.currency_id,
            sold.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()),
            counts,
            sold.normalized.to_string(),
            sold.by,
            sold.now,
        ])
    };
    writes.add(STATEMENT, copies.iter().map(row).collect::<Result<Vec<_>, _>>()?);
    let first = copies.iter().filter(|sold| sold.copy == 1);
    close_items(writes, first.map(|sold| (sold.item_id, sold.now)));
    Ok(())
}

fn close_items(writes: &mut WriteBatch, items: impl Iterator<Item = (ItemId, Moment)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE items SET closed_at = given.now, version = items.version + 1, updated_at = given.now FROM",
        [id uuid, now bigint],
        "WHERE items.id = given.id AND items.closed_at IS NULL"
    );
    writes.add(STATEMENT, items.map(|(item_id, now)| row![item_id, now]));
}

/// A further outcome of a closed item.
#[derive(Debug, Clone, Copy)]
pub struct NextOutcome<'a> {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub copy: i64,
    pub number: i64,
    pub reason: &'a str,
    pub by: UserId,
    pub now: Moment,
}

impl<'a> NextOutcome<'a> {
    /// The one that replaces an outcome.
    pub fn after(had: &Outcome, item_id: ItemId, reason: &'a str, by: UserId, now: Moment) -> Self {
        Self { id: OutcomeId::new(now), item_id, copy: had.copy, number: had.number + 1, reason, by, now }
    }
}

/// Adds an outcome: the copy is sold for this bid, or not. In an auction with a book the charge pays for the
/// item at once.
pub async fn decide(
    conn: &mut Transaction,
    next: NextOutcome<'_>,
    bid: Option<LeadingBid>,
) -> Result<(), DbError> {
    query(
        "INSERT INTO outcomes
             (id, auction_id, item_id, copy, number, result, sequence, position, winner_id, winner_name, reason, by_id,
              paid_at, created_at)
         SELECT $1, i.auction_id, i.id, $8, $2, CASE WHEN b.sequence IS NULL THEN 'UNSOLD' ELSE 'SOLD' END,
                b.sequence, b.position, b.bidder_id, u.name, $3, $4,
                CASE WHEN a.book_id IS NOT NULL AND b.sequence IS NOT NULL THEN $5 END, $5
         FROM items i
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = $6
         LEFT JOIN users u ON u.id = b.bidder_id
         WHERE i.id = $7",
    )
    .bind(next.id)
    .bind(next.number)
    .bind(next.reason)
    .bind(next.by)
    .bind(next.now)
    .bind(bid.map(|bid| bid.position))
    .bind(next.item_id)
    .bind(next.copy)
    .execute(&mut *conn)
    .await?;
    raise_version(conn, next.item_id, next.now).await
}

/// A correction: what a closed item was sold for in the hall, and to whom.
#[derive(Debug)]
pub struct Corrected<'a> {
    pub winner: &'a Person,
    pub currency_id: Option<CurrencyId>,
    pub entered: &'a BidForm,
    pub normalized: Normalized,
}

/// Adds an outcome without a bid. In an auction with a book the charge pays for the item at once.
pub async fn correct(
    conn: &mut Transaction,
    next: NextOutcome<'_>,
    corrected: Corrected<'_>,
) -> Result<(), DbError> {
    let counts = corrected.entered.entered_representation.as_ref().map(json).transpose()?;
    query(
        "INSERT INTO outcomes
             (id, auction_id, item_id, copy, number, result, winner_id, winner_name, currency_profile_id, amount,
              representation, normalized_amount, reason, by_id, paid_at, created_at)
         SELECT $1, i.auction_id, i.id, $13, $2, 'SOLD', $3, $4, $5, $6, $7, $8, $9, $10,
                CASE WHEN a.book_id IS NOT NULL THEN $11 END, $11
         FROM items i JOIN auctions a ON a.id = i.auction_id WHERE i.id = $12",
    )
    .bind(next.id)
    .bind(next.number)
    .bind(corrected.winner.id)
    .bind(&corrected.winner.name)
    .bind(corrected.currency_id)
    .bind(corrected.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()))
    .bind(counts)
    .bind(String::from(corrected.normalized))
    .bind(next.reason)
    .bind(next.by)
    .bind(next.now)
    .bind(next.item_id)
    .bind(next.copy)
    .execute(&mut *conn)
    .await?;
    raise_version(conn, next.item_id, next.now).await
}

/// Adds the outcome CANCELLED of a copy that had another one.
pub async fn cancel(conn: &mut Transaction, next: NextOutcome<'_>) -> Result<(), DbError> {
    query(
        "INSERT INTO outcomes (id, auction_id, item_id, copy, number, result, reason, by_id, created_at)
         SELECT $1, i.auction_id, i.id, $2, $3, 'CANCELLED', $4, $5, $6 FROM items i WHERE i.id = $7",
    )
    .bind(next.id)
    .bind(next.copy)
    .bind(next.number)
    .bind(next.reason)
    .bind(next.by)
    .bind(next.now)
    .bind(next.item_id)
    .execute(&mut *conn)
    .await?;
    raise_version(conn, next.item_id, next.now).await
}

/// Writes when outcomes were paid and collected.
pub fn mark(writes: &mut WriteBatch, marked: &[(ItemId, Outcome)], now: Moment) {
    const OUTCOMES: BulkStatement = bulk_statement!(
        "UPDATE outcomes SET paid_at = given.paid_at, collected_at = given.collected_at FROM",
        [item_id uuid, copy bigint, number bigint, paid_at bigint, collected_at bigint],
        "WHERE outcomes.item_id = given.item_id AND outcomes.copy = given.copy AND outcomes.number = given.number"
    );
    const ITEMS: BulkStatement = bulk_statement!(
        "UPDATE items SET version = items.version + 1, updated_at = given.now FROM",
        [id uuid, now bigint],
        "WHERE items.id = given.id"
    );
    let outcome = |(item_id, outcome): &(ItemId, Outcome)| {
        row![*item_id, outcome.copy, outcome.number, outcome.paid_at, outcome.collected_at]
    };
    writes.add(OUTCOMES, marked.iter().map(outcome));
    let items: BTreeSet<ItemId> = marked.iter().map(|(item_id, _)| *item_id).collect();
    writes.add(ITEMS, items.into_iter().map(|item_id| row![item_id, now]));
}

async fn raise_version(conn: &mut Transaction, item_id: ItemId, now: Moment) -> Result<(), DbError> {
    query("UPDATE items SET version = version + 1, updated_at = $1 WHERE id = $2")
        .bind(now)
        .bind(item_id)
        .execute(conn)
        .await?;
    Ok(())
}
