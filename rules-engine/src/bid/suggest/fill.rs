//! The smallest value at or above a given one, with a small total count.
//!
//! Counts are multiples of 10^-precision, so a bid is a whole number of *steps* of each denomination. A
//! *unit* is one step of a denomination, with its value and the number of steps that a bid may have.

use crate::bounds::MAX_DENOMINATIONS;

/// One step of a denomination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// The position of the denomination in the profile.
    pub(super) index: usize,
    /// The value of a step, in units of 10^-13. Above zero.
    pub(super) value: u128,
    /// Steps that a bid may have, at most.
    pub(super) limit: u128,
    /// The piece is used without being demanded.
    pub(super) written: bool,
}

/// Steps of each denomination, in the profile's order.
pub(super) type Steps = [u128; MAX_DENOMINATIONS];

/// The total value of `steps`, in units of 10^-13.
pub(super) fn total(units: &[Unit], steps: &Steps) -> u128 {
    let value = |unit: &Unit| steps.get(unit.index).map_or(0, |steps| steps.saturating_mul(unit.value));
    units.iter().map(value).fold(0, u128::saturating_add)
}

/// Steps with a value of at least `least`: the smallest value that is found, with the smallest total count
/// that is found. The values of `units` fall.
///
/// If each value divides the next larger, both are optimal: enough smaller steps for a larger one contain
/// some that add up to it exactly, so taking as many of the largest as fit loses no value, and each exchange
/// lowers the total count.
pub(super) fn find(units: &[Unit], least: u128) -> Option<Steps> {
    if divides(units) {
        let steps = reach(units, least)?;
        return Some(pay(units, total(units, &steps)).unwrap_or(steps));
    }
    // Otherwise try every run of neighbouring units, and take the best. That may miss a better mixture.
    let runs = (0..units.len())
        .flat_map(|first| (first..units.len()).filter_map(move |last| units.get(first..=last)));
    let tries = runs.filter_map(|run| {
        let steps = reach(run, least)?;
        Some(pay(units, total(units, &steps)).unwrap_or(steps))
    });
    tries.min_by_key(|steps| (total(units, steps), sum(steps)))
}

/// Whether each value divides the next larger.
pub(super) fn divides(units: &[Unit]) -> bool {
    let pairs = units.iter().zip(units.iter().skip(1));
    pairs.into_iter().all(|(larger, smaller)| larger.value.is_multiple_of(smaller.value))
}

/// The total number of steps.
fn sum(steps: &Steps) -> u128 {
    steps.iter().copied().fold(0, u128::saturating_add)
}

/// Steps with a value of at least `least`: as many of each unit as fit, and one more if all smaller ones
/// together are not enough. None if all units together are not enough.
fn reach(units: &[Unit], least: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut rest = least;
    let mut below = units.iter().map(all).fold(0, u128::saturating_add);
    if below < least {
        return None;
    }
    for unit in units {
        below = below.saturating_sub(all(unit));
        let fit = rest.checked_div(unit.value)?.min(unit.limit);
        let after = rest.saturating_sub(fit.saturating_mul(unit.value));
        let enough = after <= below;
        // INVARIANT: this unit and the smaller ones together are enough, so one more is within the limit.
        let taken = if enough { fit } else { fit.saturating_add(1) };
        *steps.get_mut(unit.index)? = taken;
        rest = if enough { after } else { 0 };
    }
    Some(steps)
}

/// The value of all steps that a bid may have of one unit.
fn all(unit: &Unit) -> u128 {
    unit.value.saturating_mul(unit.limit)
}

/// Steps of exactly this value, the larger units first. None if that leaves a rest.
fn pay(units: &[Unit], exact: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut rest = exact;
    for unit in units {
        let fit = rest.checked_div(unit.value)?.min(unit.limit);
        *steps.get_mut(unit.index)? = fit;
        rest = rest.saturating_sub(fit.saturating_mul(unit.value));
    }
    (rest == 0).then_some(steps)
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// Units whose values divide one another, with small limits that matter.
    fn chain() -> impl Strategy<Value = Vec<Unit>> {
        (1_u128..4, vec((1_u128..5, 1_u128..5), 1..5)).prop_map(|(first, units)| {
            let mut value = first;
            let mut chain = Vec::new();
            for (index, (times, limit)) in units.into_iter().enumerate() {
                value *= times;
                chain.push(Unit { index, value, limit, written: true });
            }
            chain.reverse();
            chain
        })
    }

    /// Chooses among all steps with a value of at least `least`: the smallest value, then the smallest
    /// total count, then the most of the first unit.
    fn best(units: &[Unit], least: u128) -> Option<Steps> {
        let mut all = vec![[0; MAX_DENOMINATIONS]];
        for unit in units {
            let more = |steps: &Steps| {
                let steps = *steps;
                (0..=unit.limit).map(move |taken| {
                    let mut steps = steps;
                    steps[unit.index] = taken;
                    steps
                })
            };
            all = all.iter().flat_map(more).collect();
        }
        all.retain(|steps| total(units, steps) >= least);
        let first =
            |steps: &Steps| units.iter().map(|unit| u128::MAX - steps[unit.index]).collect::<Vec<_>>();
        all.into_iter().min_by_key(|steps| (total(units, steps), sum(steps), first(steps)))
    }

    proptest! {
        #[test]
        fn dividing_units_are_filled_optimally_up_to_their_limits(units in chain(), least in 0_u128..400) {
            prop_assert_eq!(find(&units, least), best(&units, least));
        }

        #[test]
        fn every_reachable_value_is_reached(values in vec((1_u128..50, 1_u128..5), 1..5), least in 0_u128..400) {
            let unit = |(index, (value, limit)): (usize, (u128, u128))| Unit { index, value, limit, written: true };
            let mut units: Vec<Unit> = values.into_iter().enumerate().map(unit).collect();
            units.sort_by_key(|unit| u128::MAX - unit.value);
            let found = find(&units, least);
            prop_assert_eq!(found.is_some(), best(&units, least).is_some());
            if let Some(steps) = found {
                prop_assert!(total(&units, &steps) >= least);
                prop_assert!(units.iter().all(|unit| steps[unit.index] <= unit.limit));
            }
        }
    }
}
