//! From the rules to the least bid that they accept.

use alloc::vec::Vec;
use core::slice;

use super::form::{BidForm, Entered};
use crate::{
    bounds::{MAX_AMOUNT, MAX_DENOMINATIONS, MAX_NORMALIZED},
    profile::Counts,
    rules::{
        BidContext, RuleSet,
        condition::Condition,
        grid::{Grid, align, common_divisor},
    },
};

mod fill;
mod shares;

use fill::{Steps, Unit, total};

/// Attempts to reach an amount that all rules accept, if denominations do not divide one another or rules
/// demand some.
const ROUNDS: usize = 32;

impl RuleSet {
    /// A bid that is accepted in this context. None if none exists, or if none was found because
    /// denominations do not divide one another or rules demand some of them (section 7).
    ///
    /// In SCALAR mode it is the smallest acceptable amount of at most `precision` digits. In DENOMINATION
    /// mode if each factor divides the next larger and no rule demands a denomination, it is the smallest
    /// value with the smallest total count, preferring the first of equal factors. Never one that
    /// [`evaluate`](Self::evaluate) refuses.
    #[must_use]
    pub fn suggest(&self, context: BidContext) -> Option<BidForm> {
        // The value of a bid is above zero, whatever the rules require.
        let least = self.rules.iter().fold(1, |least, rule| rule.condition.raise(&context, least));
        if least > MAX_NORMALIZED.magnitude() {
            return None;
        }
        let units = self.units();
        let steps = if self.rules.iter().any(|rule| rule.condition.demand().is_some()) {
            shares::find(self, &units, least)?
        } else {
            self.fill(&units, least)?
        };
        let form = BidForm::from(&Entered::new(&self.profile, &self.counts(&steps)));
        // Never suggest a bid that would be refused.
        self.evaluate(context, &form).accepted().then_some(form)
    }

    /// Steps with an acceptable value of at least `least`. If each unit divides the next larger, every common
    /// multiple can be reached, so that the first attempt gives the smallest value with the smallest total
    /// count.
    fn fill(&self, units: &[Unit], least: u128) -> Option<Steps> {
        let common = common_unit(units);
        let mut aim = least;
        for _ in 0..ROUNDS {
            aim = self.align(common, aim)?;
            let Some(steps) = fill::find(units, aim) else {
                break;
            };
            let reached = total(units, &steps);
            if self.accepts_amount(reached) {
                return Some(steps);
            }
            aim = reached;
        }
        // One denomination alone.
        let alone = units.iter().filter_map(|unit| Some((self.align(unit.value, least)?, unit)));
        let (value, unit) = alone.min_by_key(|(value, _)| *value)?;
        fill::find(slice::from_ref(unit), value)
    }

    /// The smallest normalized amount from `least` on that is a multiple of `unit` and on the grid of every
    /// rule.
    fn align(&self, unit: u128, least: u128) -> Option<u128> {
        let grid_at = |value| {
            let grids = self.rules.iter().map(|rule| rule.condition.grid(value));
            grids.fold(Grid::of(unit), Grid::and)
        };
        align(least, &grid_at)
    }

    /// Whether a normalized amount is on the grid of every rule.
    fn accepts_amount(&self, value: u128) -> bool {
        self.align(1, value) == Some(value)
    }

    /// One step of each denomination, the most valuable first; of equal ones the first in the profile.
    fn units(&self) -> Vec<Unit> {
        let step = u128::from(self.profile.rounding().step());
        let limit = MAX_AMOUNT.magnitude().checked_div(step).unwrap_or(0);
        let mut units: Vec<Unit> = Vec::new();
        for (index, denomination) in self.profile.denominations().iter().enumerate() {
            let unit = Unit { index, value: denomination.value.saturating_mul(step), limit };
            let place = units.partition_point(|listed| listed.value >= unit.value);
            units.insert(place, unit);
        }
        units
    }

    /// Converts steps of the precision to counts.
    fn counts(&self, steps: &Steps) -> Counts {
        let step = u128::from(self.profile.rounding().step());
        let mut counts = [0; MAX_DENOMINATIONS];
        for (count, steps) in counts.iter_mut().zip(steps) {
            *count = u64::try_from(steps.saturating_mul(step)).unwrap_or(u64::MAX);
        }
        counts
    }
}

/// The largest amount of which the value of every bid is a multiple.
fn common_unit(units: &[Unit]) -> u128 {
    units.iter().fold(0, |common, unit| common_divisor(common, unit.value))
}
