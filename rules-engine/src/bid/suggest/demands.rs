//! What rules on denominations demand of a bid.

use alloc::vec::Vec;

use super::fill::{Steps, Unit, total};
pub(super) use crate::rules::condition::WHOLE;
use crate::rules::{RuleSet, condition::Condition};

/// The demands of all rules on one denomination.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitDemand {
    pub(super) unit: Unit,
    /// The least number of steps.
    pub(super) steps: u128,
    /// The least share of the bid's value, in units of 1 / [`WHOLE`].
    pub(super) ratio: u128,
}

/// Combines the demands of all rules on each unit; the strictest counts.
pub(super) fn all(rules: &RuleSet, units: &[Unit]) -> Vec<UnitDemand> {
    let step = u128::from(rules.profile.rounding().step());
    let combine = |unit: &Unit| {
        let mut combined = UnitDemand { unit: *unit, steps: 0, ratio: 0 };
        let all = rules.rules.iter().filter_map(|rule| rule.condition.demand());
        for demand in all.filter(|demand| demand.index == unit.index) {
            combined.steps = combined.steps.max(demand.count.div_ceil(step));
            combined.ratio = combined.ratio.max(demand.ratio);
        }
        combined
    };
    units.iter().map(combine).collect()
}

impl UnitDemand {
    /// The least steps whose value is the share of `whole`.
    pub(super) fn share(&self, whole: u128) -> Option<u128> {
        if self.ratio == 0 {
            return Some(0);
        }
        let least = self.ratio.checked_mul(whole)?;
        Some(least.div_ceil(self.unit.value.checked_mul(WHOLE)?))
    }
}

/// Whether the steps meet the demands.
pub(super) fn met(demands: &[UnitDemand], units: &[Unit], steps: &Steps) -> bool {
    let whole = total(units, steps);
    demands.iter().all(|demand| {
        let taken = steps.get(demand.unit.index).copied().unwrap_or(0);
        taken >= demand.steps && demand.share(whole).is_some_and(|share| taken >= share)
    })
}
