//! The price of an item over time, at a bounded number of its bids.

use crate::bids::store::MARK_EVERY;
use crate::bids::{StandingPrice, store};
use crate::ids::ItemId;
use platform::db::{Connection, DbError};
use rules_engine::money::Normalized;
use std::collections::HashMap;

/// Bids that are read, at most.
const PRICES_MAX: i64 = 60;

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
    if above.is_empty() { Ok(HashMap::new()) } else { store::newest_prices(conn, &above).await }
}

/// Prices before the bid `sequence`, newest first: of all bids, or of as many as may be read, evenly from the
/// first to the last. A withdrawn bid is no price.
pub async fn before(
    conn: &mut Connection,
    item_id: ItemId,
    sequence: i64,
) -> Result<Vec<StandingPrice>, DbError> {
    let sequences = evenly(sequence - 1);
    if sequences.is_empty() { Ok(Vec::new()) } else { store::prices(conn, item_id, &sequences).await }
}

/// Numbers from 1 to `last`, with both, at about equal distances. Of many bids they are marked ones, which
/// are found at once.
fn evenly(last: i64) -> Vec<i64> {
    let count = last.min(PRICES_MAX);
    let has_marks = last > PRICES_MAX * MARK_EVERY;
    let number = |at| {
        let number = 1 + at * (last - 1) / (count - 1);
        if has_marks && at > 0 && at < count - 1 { number - number % MARK_EVERY } else { number }
    };
    match count {
        ..=0 => Vec::new(),
        1 => vec![1],
        _ => (0..count).map(number).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PRICES_MAX, evenly};

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
}
