//! Prices of bids in SQL.

use std::collections::HashMap;

use rules_engine::money::Normalized;

use crate::bids::StandingPrice;
use crate::ids::ItemId;
use crate::path::ItemPath;
use crate::usage::ledger::{LedgerRange, in_ranges, ranges};
use platform::db::{Connection, DbError, Parsed, for_each_row, query, rows};
use platform::time::Moment;

/// Sequence, time and amount of a bid, and the number of its withdrawal.
type StoredPrice = (i64, Moment, Parsed<Normalized>, Option<i64>);

/// Which of these bids stand, as prices, newest first. All bids before the last of them are walked past.
pub async fn walked(
    conn: &mut Connection,
    item: ItemPath,
    sequences: &[i64],
) -> Result<Vec<StandingPrice>, DbError> {
    let Some(last) = sequences.last() else { return Ok(Vec::new()) };
    let rows: Vec<StoredPrice> = query(for_each_row!(
        "WITH RECURSIVE walk (previous, sequence, created_at, normalized_amount) AS (
             SELECT b.previous, b.sequence, b.created_at, b.normalized_amount
             FROM bids b WHERE b.auction_id = $2 AND b.position = COALESCE(
                 (SELECT m.position FROM bid_marks m WHERE m.item_id = $3 AND m.sequence >= $4
                  ORDER BY m.sequence LIMIT 1),
                 (SELECT h.last_position FROM item_heads h WHERE h.item_id = $3))
             UNION ALL
             SELECT b.previous, b.sequence, b.created_at, b.normalized_amount
             FROM walk JOIN bids b ON b.auction_id = $2 AND b.position = walk.previous
         ) SELECT walk.sequence, walk.created_at, walk.normalized_amount, w.number
         FROM walk LEFT JOIN withdrawals w ON w.item_id = $3 AND w.sequence = walk.sequence
         WHERE walk.sequence IN (SELECT given.sequence FROM",
        [sequence bigint],
        ") ORDER BY walk.sequence DESC"
    ))
    .bind(rows(sequences.iter().map(|sequence| [sequence]))?)
    .bind(item.auction_id)
    .bind(item.item_id)
    .bind(*last)
    .fetch_all(conn)
    .await?;
    Ok(standing(rows))
}

/// Which of these marked bids stand, as prices, newest first.
pub async fn at_marks(
    conn: &mut Connection,
    item: ItemPath,
    sequences: &[i64],
) -> Result<Vec<StandingPrice>, DbError> {
    let rows: Vec<StoredPrice> = query(for_each_row!(
        "SELECT b.sequence, b.created_at, b.normalized_amount, w.number FROM",
        [sequence bigint],
        "JOIN bid_marks m ON m.item_id = $3 AND m.sequence = given.sequence
         JOIN bids b ON b.auction_id = $2 AND b.position = m.position
         LEFT JOIN withdrawals w ON w.item_id = $3 AND w.sequence = given.sequence
         ORDER BY b.sequence DESC"
    ))
    .bind(rows(sequences.iter().map(|sequence| [sequence]))?)
    .bind(item.auction_id)
    .bind(item.item_id)
    .fetch_all(conn)
    .await?;
    Ok(standing(rows))
}

/// Which bids of these ranges stand, as prices, newest first.
pub async fn of(
    conn: &mut Connection,
    wanted: impl IntoIterator<Item = LedgerRange>,
) -> Result<Vec<StandingPrice>, DbError> {
    let rows: Vec<StoredPrice> = query(in_ranges!(
        "b.sequence, b.created_at, b.normalized_amount, w.number",
        "LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence",
        "ORDER BY b.sequence DESC"
    ))
    .bind(ranges(wanted)?)
    .fetch_all(conn)
    .await?;
    Ok(standing(rows))
}

/// The standing prices of several items above a sequence each, in the order of their sequences.
pub async fn newest(
    conn: &mut Connection,
    above: &[(ItemId, i64)],
) -> Result<HashMap<ItemId, Vec<Normalized>>, DbError> {
    let rows: Vec<(ItemId, Parsed<Normalized>, Option<i64>)> = query(in_ranges!(
        "b.item_id, b.normalized_amount, w.number",
        "LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence",
        "ORDER BY b.item_id, b.sequence"
    ))
    .bind(ranges(above.iter().map(|(item, sequence)| LedgerRange::from(*item, sequence + 1)))?)
    .fetch_all(conn)
    .await?;
    let mut prices: HashMap<ItemId, Vec<Normalized>> = HashMap::new();
    for (item, Parsed(price), withdrawal) in rows {
        if withdrawal.is_none() {
            prices.entry(item).or_default().push(price);
        }
    }
    Ok(prices)
}

fn standing(rows: Vec<StoredPrice>) -> Vec<StandingPrice> {
    let standing = rows.into_iter().filter(|(.., withdrawal)| withdrawal.is_none());
    let price =
        |(sequence, placed_at, Parsed(normalized), _)| StandingPrice { sequence, placed_at, normalized };
    standing.map(price).collect()
}
