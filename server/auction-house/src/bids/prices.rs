//! The price of an item over time, at a bounded number of its bids.

use crate::bids::store::mark_every;
use crate::bids::{StandingPrice, store};
use crate::ids::ItemId;
use crate::path::ItemPath;
use crate::usage::ledger::LedgerRange;
use platform::db::{Connection, DbError};
use rules_engine::money::Normalized;
use std::collections::HashMap;

/// Evenly spread prices that are read, at most.
const PRICES_MAX: i64 = 44;

/// Fewer bids than these before the given one are all read, so that the others change with each block only.
const BLOCK: i64 = 32;

/// Maximum number of bids that are walked. Of more bids marked ones are read, which takes no walk.
const WALKED_MAX: i64 = 400;

/// Newest bids of each item whose prices are read for a list.
const NEWEST_MAX: i64 = 10;

/// The standing prices among the newest bids of several items, given with the number of their bids, in the
/// order in which they were placed.
pub async fn newest_prices(
    conn: &mut Connection,
    items: &[(ItemId, i64)],
) -> Result<HashMap<ItemId, Vec<Normalized>>, DbError> {
    let begun = items.iter().filter(|(_, last)| *last > 0);
    let above: Vec<_> = begun.map(|(item, last)| (*item, (last - NEWEST_MAX).max(0))).collect();
    if above.is_empty() { Ok(HashMap::new()) } else { store::prices::newest(conn, &above).await }
}

/// Prices before the bid `sequence`, newest first: of all bids of its block, and before that of all bids, or
/// of as many as may be read, evenly from the first to the last. A withdrawn bid is no price.
pub async fn before(
    conn: &mut Connection,
    item: ItemPath,
    sequence: i64,
) -> Result<Vec<StandingPrice>, DbError> {
    let (last, block) = (sequence - 1, block_of(sequence));
    if last < 1 {
        return Ok(Vec::new());
    }
    let sequences = evenly(block - 1);
    if last <= WALKED_MAX {
        let sequences: Vec<i64> = sequences.into_iter().chain(block..=last).collect();
        return store::prices::walked(conn, item, &sequences).await;
    }
    let ends = [LedgerRange::one(item.item_id, 1), LedgerRange::between(item.item_id, block, last)];
    let mut prices = store::prices::of(conn, ends.into_iter().filter(|end| end.low <= end.high)).await?;
    let first = prices.pop_if(|price| price.sequence == 1);
    prices.extend(store::prices::at_marks(conn, item, &marked(&sequences)).await?);
    prices.extend(first);
    Ok(prices)
}

/// Whether [`before`] has the same prices before the bid `was` as before a later one, besides those of the
/// bids from there on.
pub fn are_kept(was: i64, later: i64) -> bool {
    block_of(was) == block_of(later) || block_of(later) - 1 <= PRICES_MAX
}

/// The first bid of the block of a bid.
fn block_of(sequence: i64) -> i64 {
    sequence - (sequence - 1).rem_euclid(BLOCK)
}

/// Numbers from 1 to `last`, with both, at about equal distances.
fn evenly(last: i64) -> Vec<i64> {
    match last.min(PRICES_MAX) {
        ..=0 => Vec::new(),
        1 => vec![1],
        count => (0..count).map(|at| 1 + at * (last - 1) / (count - 1)).collect(),
    }
}

/// The marked bids at, or next before, each of these but the first.
fn marked(sequences: &[i64]) -> Vec<i64> {
    let [first, others @ ..] = sequences else { return Vec::new() };
    let mut marked: Vec<i64> =
        others.iter().map(|sequence| sequence - sequence % mark_every(*sequence)).collect();
    marked.retain(|sequence| first < sequence);
    marked.dedup();
    marked
}

#[cfg(test)]
mod tests {
    use super::{PRICES_MAX, block_of, evenly, mark_every, marked};

    #[test]
    fn few_numbers_are_all_and_many_are_even() {
        assert_eq!(evenly(0), [0_i64; 0]);
        assert_eq!(evenly(1), [1]);
        assert_eq!(evenly(3), [1, 2, 3]);
        for last in [PRICES_MAX, PRICES_MAX + 1, 1_920, 1_921, 50_000] {
            let numbers = evenly(last);
            assert_eq!((numbers.first(), numbers.last()), (Some(&1), Some(&last)));
            assert_eq!(numbers.len(), 44);
            assert!(numbers.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn many_bids_have_enough_marks() {
        for last in [416, 512, 544, 608, 960, 1_024, 1_056, 1_120, 2_016, 1_000_000] {
            assert_eq!(block_of(last), last - 31, "a block ends there");
            let marked = marked(&evenly(last));
            assert!((36..=43).contains(&marked.len()), "{} of {last}", marked.len());
            assert_eq!(marked.last(), Some(&last));
            assert!(marked.iter().all(|sequence| sequence % mark_every(*sequence) == 0), "{marked:?}");
        }
    }
}
