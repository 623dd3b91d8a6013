//! The price of an item over time, at a bounded number of its bids.

use crate::bids::store::mark_every;
use crate::bids::{StandingPrice, store};
use crate::ids::ItemId;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};
use rules_engine::money::Normalized;
use std::collections::HashMap;

/// Prices that are read, at most.
const PRICES_MAX: i64 = 60;

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

/// Prices before the bid `sequence`, newest first: of all bids, or of as many as may be read, evenly from the
/// first to the last. A withdrawn bid is no price.
pub async fn before(
    conn: &mut Connection,
    item: ItemPath,
    sequence: i64,
) -> Result<Vec<StandingPrice>, DbError> {
    let last = sequence - 1;
    let sequences = evenly(last);
    if last <= WALKED_MAX {
        return if last < 1 { Ok(Vec::new()) } else { store::prices::walked(conn, item, &sequences).await };
    }
    // Both ends are near a mark.
    let ends = store::prices::of(conn, item.item_id, &[1, last]).await?;
    let mut prices = store::prices::at_marks(conn, item, &marked(&sequences)).await?;
    let (newest, first): (Vec<_>, Vec<_>) = ends.into_iter().partition(|end| end.sequence == last);
    prices.splice(..0, newest);
    prices.extend(first);
    Ok(prices)
}

/// Numbers from 1 to `last`, with both, at about equal distances.
fn evenly(last: i64) -> Vec<i64> {
    match last.min(PRICES_MAX) {
        ..=0 => Vec::new(),
        1 => vec![1],
        count => (0..count).map(|at| 1 + at * (last - 1) / (count - 1)).collect(),
    }
}

/// The marked bids at, or next before, each of these between the first and the last.
fn marked(sequences: &[i64]) -> Vec<i64> {
    let [first, between @ .., last] = sequences else { return Vec::new() };
    let mut marked: Vec<i64> =
        between.iter().map(|sequence| sequence - sequence % mark_every(*sequence)).collect();
    marked.retain(|sequence| first < sequence && sequence < last);
    marked.dedup();
    marked
}

#[cfg(test)]
mod tests {
    use super::{PRICES_MAX, WALKED_MAX, evenly, mark_every, marked};

    #[test]
    fn few_numbers_are_all_and_many_are_even() {
        assert_eq!(evenly(0), [0_i64; 0]);
        assert_eq!(evenly(1), [1]);
        assert_eq!(evenly(3), [1, 2, 3]);
        for last in [PRICES_MAX, PRICES_MAX + 1, 1_920, 1_921, 50_000] {
            let numbers = evenly(last);
            assert_eq!((numbers.first(), numbers.last()), (Some(&1), Some(&last)));
            assert_eq!(numbers.len(), 60);
            assert!(numbers.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn many_bids_have_enough_marks() {
        for last in [WALKED_MAX + 1, 512, 513, 600, 944, 1_024, 1_025, 1_100, 2_000, 1_000_000] {
            let marked = marked(&evenly(last));
            assert!((48..=58).contains(&marked.len()), "{} of {last}", marked.len());
            assert!(marked.iter().all(|sequence| sequence % mark_every(*sequence) == 0), "{marked:?}");
        }
    }
}
