//! Outcomes in SQL.

mod due;
pub mod results;
mod row;
mod write;

use std::collections::HashMap;

use rules_engine::money::Normalized;

use crate::ids::{AuctionId, ItemId, OutcomeId, UserId};
use crate::items::Item;
use crate::items::bidding::LeadingBid;
use crate::items::outcomes::StoredOutcome;
use crate::usage::ledger::{LedgerRange, in_ranges, ranges};
use platform::db::{Connection, DbError, Parsed, concatcp, for_each_row, query, query_scalar, rows};
use platform::time::Moment;

pub use due::{due, ended, next_end};
pub(super) use row::{OUTCOME_COLUMNS, OUTCOME_TABLES, OutcomeRow};
pub use write::{Corrected, FirstOutcome, NextOutcome, SoldCopy, cancel, close, correct, decide, mark, sell};

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

/// Outcomes of an auction in the order in which they were created. With `drafts_of` those of drafts only if
/// they are this user's.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    drafts_of: Option<UserId>,
    after: Option<OutcomeId>,
    limit: i64,
) -> Result<Vec<StoredOutcome>, DbError> {
    let rows: Vec<StoredOutcome<OutcomeRow>> = query(concatcp!(
        "SELECT o.id, o.item_id, i.seller_id, NOT EXISTS (SELECT 1 FROM outcomes n WHERE n.item_id = o.item_id AND n.copy = o.copy AND n.number > o.number)
             AS in_force, ",
        OUTCOME_COLUMNS,
        " FROM outcomes o JOIN items_now i ON i.id = o.item_id",
        OUTCOME_TABLES,
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
    let read = |StoredOutcome { id, item_id, seller_id, in_force, outcome }: StoredOutcome<OutcomeRow>| {
        let outcome = outcome.read(item_id)?;
        let outcome = outcome.ok_or_else(|| DbError::missing("outcomes", "number", item_id))?;
        Ok(StoredOutcome { id, item_id, seller_id, in_force, outcome })
    };
    rows.into_iter().map(read).collect()
}

#[derive(sqlx_macros::FromRow)]
struct CopyRow {
    item_id: ItemId,
    #[sqlx(flatten)]
    outcome: OutcomeRow,
}

/// Reads the outcomes in force of the further copies of closed items. Items of one copy cost nothing.
pub(super) async fn read_copies<'a>(
    conn: &mut Connection,
    items: impl Iterator<Item = &'a mut Item>,
) -> Result<(), DbError> {
    let several = items.filter(|item| item.terms.format.copies() > 1 && item.outcome.is_some());
    let mut several: HashMap<ItemId, &mut Item> = several.map(|item| (item.id, item)).collect();
    if several.is_empty() {
        return Ok(());
    }
    let found: Vec<CopyRow> = query(for_each_row!(
        concatcp!("SELECT o.item_id, ", OUTCOME_COLUMNS, " FROM"),
        [item_id id],
        concatcp!(
            "JOIN outcomes_now o ON o.item_id = given.item_id",
            OUTCOME_TABLES,
            "WHERE o.copy > 1 ORDER BY o.copy"
        )
    ))
    .bind(rows(several.keys().map(|id| [*id]))?)
    .fetch_all(conn)
    .await?;
    for row in found {
        let outcome = row.outcome.read(row.item_id)?;
        if let Some(item) = several.get_mut(&row.item_id) {
            item.further_outcomes.extend(outcome);
        }
    }
    Ok(())
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

/// When the newest items of an auction were sold or passed by hand, the newest first.
pub async fn newest_hammers(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: i64,
) -> Result<Vec<Moment>, DbError> {
    query_scalar(
        "SELECT created_at FROM outcomes
         WHERE auction_id = $1 AND copy = 1 AND number = 1 AND by_id IS NOT NULL AND result <> 'CANCELLED'
         ORDER BY id DESC LIMIT $2",
    )
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
