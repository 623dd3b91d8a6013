//! From the rules to the least bid that they accept.

use alloc::vec::Vec;
use core::slice;

use super::form::{BidForm, Entered};
use crate::{
    bounds::{MAX_DENOMINATIONS, MAX_NORMALIZED, MAX_UNITS},
    profile::Counts,
    rules::{BidContext, RuleSet, condition::Condition, grid::common_divisor},
};

mod amounts;
mod demands;
mod exact;
mod fill;
mod handover;
mod search;
mod shares;
mod table;

use amounts::Amounts;
use fill::{Steps, Unit, total};
use handover::Pieces;

/// Attempts to reach an amount that all rules accept.
const ROUNDS: usize = 32;

impl RuleSet {
    /// A bid that is accepted in this context. None if none exists, or if none was found because
    /// denominations do not divide one another or rules demand some of them (section 7).
    ///
    /// In SCALAR mode it is the smallest acceptable amount of at most `precision` digits. In DENOMINATION
    /// mode if each factor divides the next larger and no rule demands a denomination, it is the smallest
    /// value with the smallest total count, preferring the first of equal factors; otherwise few pieces whose
    /// value is close to the least. A piece that is not written is used only if a rule demands it. Never one
    /// that [`evaluate`](Self::evaluate) refuses.
    #[must_use]
    pub fn suggest(&self, context: BidContext) -> Option<BidForm> {
        self.suggest_from(context, 0)
    }

    /// A bid that is accepted, of at least the amount `from`, in units of 10^-13.
    fn suggest_from(&self, context: BidContext, from: u128) -> Option<BidForm> {
        let conditions = || self.rules.iter().map(|rule| &rule.condition);
        // The value of a bid is above zero, whatever the rules require.
        let least = conditions().fold(from.max(1), |least, condition| condition.raise(&context, least));
        let most =
            conditions().fold(MAX_NORMALIZED.magnitude(), |most, condition| condition.lower(&context, most));
        let units = self.units();
        let amounts = Amounts::new(self, common_unit(&units), most);
        let first = amounts.next(least)?;
        let demanding = conditions().any(|condition| condition.demand().is_some());
        let steps = if !demanding && fill::divides(&units) {
            fill(&amounts, &units, first)?
        } else {
            let smallest = units.iter().rev().find(|unit| unit.written)?.value;
            let steps_of_one = 10_u128.saturating_pow(self.profile.precision().into());
            let smallest = smallest.saturating_mul(steps_of_one);
            Pieces { amounts: &amounts, units: &units, smallest }.find(first)?
        };
        let form = BidForm::from(&Entered::new(&self.profile, &self.counts(&steps)));
        // Never suggest a bid that would be refused.
        self.evaluate(context, &form).accepted().then_some(form)
    }

    /// One step of each denomination that is written or demanded.
    fn units(&self) -> Vec<Unit> {
        let demanded = |index| {
            let demands = self.rules.iter().filter_map(|rule| rule.condition.demand());
            demands.into_iter().any(|demand| demand.index == index)
        };
        let mut units = self.all_units();
        units.retain(|unit| unit.written || demanded(unit.index));
        units
    }

    /// One step of each denomination, the most valuable first; of equal ones the first in the profile.
    fn all_units(&self) -> Vec<Unit> {
        let step = u128::from(self.profile.rounding().step());
        let limit = u128::from(MAX_UNITS).checked_div(step).unwrap_or(0);
        let mut units: Vec<Unit> = Vec::new();
        for (index, denomination) in self.profile.denominations().iter().enumerate() {
            let value = denomination.value.saturating_mul(step);
            let unit = Unit { index, value, limit, written: denomination.written };
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

/// Steps with an acceptable value of at least `least`. If each unit divides the next larger, every common
/// multiple can be reached, so that the first attempt gives the smallest value with the smallest total count.
fn fill(amounts: &Amounts<'_>, units: &[Unit], least: u128) -> Option<Steps> {
    let mut aim = least;
    for _ in 0..ROUNDS {
        aim = amounts.next(aim)?;
        let Some(steps) = fill::find(units, aim) else {
            break;
        };
        let reached = total(units, &steps);
        if amounts.accept(reached) {
            return Some(steps);
        }
        aim = reached;
    }
    // One denomination alone.
    let alone = units.iter().filter_map(|unit| Some((amounts.next_of(unit.value, least)?, unit)));
    let (value, unit) = alone.min_by_key(|(value, _)| *value)?;
    fill::find(slice::from_ref(unit), value)
}

/// The largest amount of which the value of every bid is a multiple.
fn common_unit(units: &[Unit]) -> u128 {
    units.iter().fold(0, |common, unit| common_divisor(common, unit.value))
}
