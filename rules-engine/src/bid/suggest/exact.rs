//! An amount in the fewest pieces.

use super::{
    common_unit,
    fill::{Steps, Unit, divides, pay},
    table::Table,
};

/// The fewest steps that are worth exactly `amount`, with the most of the largest unit first. The values of
/// `units` fall. If a table of all that the largest leaves would be too much work, it takes more of the
/// largest; if even then none are found, it pays with each smaller run of units.
pub(super) fn find(units: &[Unit], amount: u128) -> Option<Steps> {
    if amount == 0 {
        return None;
    }
    let fewest = if divides(units) { None } else { by_table(units, amount) };
    fewest.or_else(|| (0..units.len()).find_map(|first| pay(units.get(first..)?, amount)))
}

/// With a table of the amounts below a bound: of as many other units as one of the largest is worth common
/// units, some are worth a multiple of the largest, which has no more steps. So those that are not the
/// largest are fewer, and each is worth at most the second.
fn by_table(units: &[Unit], amount: u128) -> Option<Steps> {
    let [largest, second, ..] = units else { return None };
    let bound = largest.value.checked_div(common_unit(units))?.saturating_mul(second.value);
    let bound = bound.min(Table::largest(units));
    let taken = amount.saturating_sub(bound).div_ceil(largest.value);
    let rest = amount.checked_sub(taken.saturating_mul(largest.value))?;
    let mut steps = Table::new(units, rest)?.steps(rest)?;
    let place = steps.get_mut(largest.index)?;
    *place = place.saturating_add(taken);
    (*place <= largest.limit).then_some(steps)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::bounds::MAX_DENOMINATIONS;

    fn units(mut values: Vec<u128>) -> Vec<Unit> {
        values.sort_unstable_by_key(|value| u128::MAX - value);
        let unit = |(index, value)| Unit { index, value, limit: 1_000_000, written: true };
        values.into_iter().enumerate().map(unit).collect()
    }

    fn found<const COUNT: usize>(values: [u128; COUNT], amount: u128) -> Option<[u128; COUNT]> {
        let steps = find(&units(values.to_vec()), amount)?;
        Some(core::array::from_fn(|at| steps[at]))
    }

    /// The fewest steps of every amount up to `end`, one by one.
    fn fewest(units: &[Unit], end: usize) -> Vec<Option<u128>> {
        let mut fewest = Vec::from([Some(0)]);
        for amount in 1..=end {
            let before = units.iter().filter_map(|unit| {
                let rest = amount.checked_sub(usize::try_from(unit.value).unwrap())?;
                fewest[rest]
            });
            let least = before.min().map(|least: u128| least + 1);
            fewest.push(least);
        }
        fewest
    }

    #[test]
    fn pieces_that_do_not_divide_make_an_amount_in_the_fewest() {
        assert_eq!(found([10, 6], 28), Some([1, 3]));
        assert_eq!(found([10, 6], 7), None);
        assert_eq!(found([30, 24, 12, 6, 1], 48), Some([0, 2, 0, 0, 0]));
        assert_eq!(found([25, 20, 10, 5], 40), Some([0, 2, 0, 0]));
        assert_eq!(found([250, 200, 100, 50], 400), Some([0, 2, 0, 0]));
        assert_eq!(found([500, 250, 100], 800), Some([1, 0, 3]));
        assert_eq!(found([240, 12, 1], 1_000_000), Some([4_166, 13, 4]));
        assert_eq!(found([7, 5], 0), None);
    }

    #[test]
    fn more_of_the_largest_than_a_bid_may_have_are_none() {
        assert_eq!(found([10, 6], 10_000_000), Some([1_000_000, 0]));
        assert_eq!(found([10, 6], 10_000_010), None);
    }

    #[test]
    fn what_is_too_much_for_a_table_is_made_all_the_same() {
        let steps = found([1_000_003, 999_983, 1], 2_000_007).unwrap();
        assert_eq!(steps, [2, 0, 1]);
    }

    proptest! {
        #[test]
        fn no_fewer_pieces_make_any_amount(values in vec(1_u128..60, 1..6), start in 0_usize..3_000) {
            let units = units(values);
            let expected = fewest(&units, start + 60);
            for (amount, fewest) in expected.into_iter().enumerate().skip(start.max(1)) {
                let steps = find(&units, amount as u128);
                prop_assert_eq!(steps.map(|steps| steps.iter().sum::<u128>()), fewest, "{}", amount);
                if let Some(steps) = steps {
                    let worth = units.iter().map(|unit| unit.value * steps[unit.index]).sum::<u128>();
                    prop_assert_eq!(worth, amount as u128);
                    prop_assert!(steps[units.len()..MAX_DENOMINATIONS].iter().all(|count| *count == 0));
                }
            }
        }
    }
}
