//! A bid under rules on denominations: the required count of each, the required share of each, and the rest
//! in any denomination.

use alloc::vec::Vec;

use super::{
    Amounts, ROUNDS,
    demands::{UnitDemand, WHOLE, met},
    fill::{self, Steps, Unit, total},
};
use crate::{bounds::MAX_DENOMINATIONS, rules::grid::common_divisor};

/// Steps with an acceptable value of at least `least` that meet the demands; none if none were found in a
/// bounded number of attempts. Each aims at the value that the one before reached; [`settled`] gives the last
/// one.
pub(super) fn find(
    amounts: &Amounts<'_>,
    units: &[Unit],
    demands: &[UnitDemand],
    least: u128,
) -> Option<Steps> {
    let ratios = demands.iter().map(|demand| demand.ratio).fold(0, u128::saturating_add);
    let spare = WHOLE.checked_sub(ratios)?;
    if spare == 0 {
        return exact(amounts, demands, least);
    }
    let found = |steps: &Steps| {
        let value = total(units, steps);
        met(demands, units, steps) && amounts.accept(value) && are_spared(demands, steps, value)
    };
    let mut aim = least;
    for _ in 0..ROUNDS {
        aim = amounts.next(aim)?;
        let steps = attempt(demands, units, aim)?;
        if found(&steps) {
            return Some(steps);
        }
        aim = total(units, &steps).max(aim.saturating_add(1));
    }
    let settled = settled(demands, units, spare)?.max(least);
    attempt(demands, units, amounts.next(settled)?).filter(found)
}

/// Whether pieces that are not written are taken as often as the demands ask, and no more.
fn are_spared(demands: &[UnitDemand], steps: &Steps, value: u128) -> bool {
    let unwritten = demands.iter().filter(|demand| !demand.unit.written);
    unwritten.into_iter().all(|demand| {
        let demanded = demand.share(value).map(|share| share.max(demand.steps));
        steps.get(demand.unit.index).copied() == demanded
    })
}

/// The demanded steps of a bid with the value `aim`, then the rest of it. None beyond a unit's limit.
fn attempt(demands: &[UnitDemand], units: &[Unit], aim: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut room = Vec::new();
    let smallest = units.iter().rev().find(|unit| unit.written)?.value;
    // The smallest unit fills up a multiple of it exactly. Otherwise filling up may exceed the aim by less
    // than that unit: the shares allow for that.
    let over = if aim.is_multiple_of(smallest) { aim } else { aim.saturating_add(smallest) };
    for demand in demands {
        let taken = demand.steps.max(demand.share(over)?);
        *steps.get_mut(demand.unit.index)? = taken;
        let limit = demand.unit.limit.checked_sub(taken)?;
        if demand.unit.written {
            room.push(Unit { limit, ..demand.unit });
        }
    }
    let rest = aim.saturating_sub(total(units, &steps));
    let filled = fill::find(&room, rest)?;
    for (place, more) in steps.iter_mut().zip(filled) {
        *place = place.saturating_add(more);
    }
    Some(steps)
}

/// A value from which on the shares, each rounded up to a unit, and the required steps fit into the whole:
/// Σ (share + unit + required) ≤ value if value × spare ≥ Σ (unit + required).
fn settled(demands: &[UnitDemand], units: &[Unit], spare: u128) -> Option<u128> {
    let cost = |demand: &UnitDemand| demand.unit.value.saturating_mul(demand.steps.saturating_add(2));
    let costs = demands.iter().map(cost).fold(units.last()?.value, u128::saturating_add);
    costs.checked_mul(WHOLE)?.checked_div(spare)?.checked_add(1)
}

/// If the ratios add up to the whole bid, nothing is left to fill: either each share is exact, or there is no
/// bid.
fn exact(amounts: &Amounts<'_>, demands: &[UnitDemand], least: u128) -> Option<Steps> {
    let mut unit = 1_u128;
    let mut least = least;
    for demand in demands {
        if demand.ratio == 0 {
            if demand.steps > 0 {
                return None;
            }
            continue;
        }
        // The smallest value whose share is a whole number of steps, and the value whose share has the
        // required steps.
        let whole = demand.unit.value.checked_mul(WHOLE)?;
        let own = whole.checked_div(common_divisor(whole, demand.ratio))?;
        unit = unit.checked_div(common_divisor(unit, own))?.checked_mul(own)?;
        least = least.max(whole.checked_mul(demand.steps)?.div_ceil(demand.ratio));
    }
    let value = amounts.next_of(unit, least)?;
    let mut steps = [0; MAX_DENOMINATIONS];
    for demand in demands {
        let taken = demand.share(value)?;
        *steps.get_mut(demand.unit.index)? = taken;
        demand.unit.limit.checked_sub(taken)?;
    }
    Some(steps)
}
