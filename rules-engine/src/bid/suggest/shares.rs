//! A bid under rules on denominations: enough of each that is required, a large enough share of each that has a
//! least ratio, and the rest in whatever fits.

use alloc::vec::Vec;

use super::fill::{self, Coin, Steps, value};
use crate::{
    bounds::{MAX_DENOMINATIONS, MAX_NORMALIZED},
    rules::{Condition, RuleSet, min_component_ratio::WHOLE},
};

/// Attempts, each aiming as high as the one before fell short. The last resort follows.
const ROUNDS: usize = 32;

/// What the rules ask of one denomination.
#[derive(Clone, Copy, Debug)]
struct Demand {
    coin: Coin,
    /// Steps, at least.
    steps: u128,
    /// Share of the bid's worth, at least, in units of 10^-4.
    ratio: u128,
}

/// Steps worth at least `least` that meet the demands, or none if none were found in a bounded number of tries.
pub(super) fn find(rules: &RuleSet, coins: &[Coin], least: u128) -> Option<Steps> {
    let demands = demands(rules, coins);
    let ratios = demands.iter().map(|demand| demand.ratio).fold(0, u128::saturating_add);
    let spare = WHOLE.checked_sub(ratios)?;
    if spare == 0 && demands.iter().filter(|demand| demand.ratio > 0).count() > 1 {
        return exact(&demands, least);
    }
    let mut aim = least;
    for _ in 0..ROUNDS {
        let steps = attempt(&demands, coins, aim)?;
        if meets(&demands, coins, &steps) {
            return Some(steps);
        }
        aim = value(coins, &steps).max(aim.saturating_add(1));
    }
    let steps = attempt(&demands, coins, settled(&demands, coins, spare)?)?;
    meets(&demands, coins, &steps).then_some(steps)
}

/// Each coin with what the rules ask of it, the strictest where there are several.
fn demands(rules: &RuleSet, coins: &[Coin]) -> Vec<Demand> {
    let step = u128::from(rules.profile.grid.step());
    let demand = |coin: &Coin| {
        let mut demand = Demand { coin: *coin, steps: 0, ratio: 0 };
        for rule in &rules.rules {
            match &rule.condition {
                Condition::MinComponentRatio(rule) if rule.slot == coin.slot => {
                    demand.ratio = demand.ratio.max(rule.ratio);
                }
                Condition::RequiredDenomination(rule) if rule.slot == coin.slot => {
                    demand.steps = demand.steps.max(rule.count.div_ceil(step));
                }
                _ => {}
            }
        }
        demand
    };
    coins.iter().map(demand).collect()
}

/// Every share of a bid worth `aim`, then the rest of it. None past a coin's limit.
fn attempt(demands: &[Demand], coins: &[Coin], aim: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut room = Vec::new();
    // What is filled up may pass the aim by less than the smallest coin: the shares allow for that.
    let over = aim.saturating_add(coins.last()?.worth);
    for demand in demands {
        let taken = demand.steps.max(share(demand, over)?);
        *steps.get_mut(demand.coin.slot)? = taken;
        room.push(Coin { limit: demand.coin.limit.checked_sub(taken)?, ..demand.coin });
    }
    let rest = aim.saturating_sub(value(coins, &steps));
    let filled = fill::find(&room, rest)?;
    for (place, more) in steps.iter_mut().zip(filled) {
        *place = place.saturating_add(more);
    }
    Some(steps)
}

/// The least steps of a denomination whose worth is its share of `whole`.
fn share(demand: &Demand, whole: u128) -> Option<u128> {
    let least = demand.ratio.checked_mul(whole)?;
    Some(least.div_ceil(demand.coin.worth.checked_mul(WHOLE)?))
}

fn meets(demands: &[Demand], coins: &[Coin], steps: &Steps) -> bool {
    let whole = value(coins, steps);
    demands.iter().all(|demand| {
        let taken = steps.get(demand.coin.slot).copied().unwrap_or(0);
        taken >= demand.steps && share(demand, whole).is_some_and(|share| taken >= share)
    })
}

/// A worth from which on the shares, each rounded up to a coin, and all that is required leave room in the whole:
/// Σ (share + coin + required) ≤ worth as soon as worth × spare ≥ Σ (coin + required).
fn settled(demands: &[Demand], coins: &[Coin], spare: u128) -> Option<u128> {
    let cost = |demand: &Demand| demand.coin.worth.saturating_mul(demand.steps.saturating_add(2));
    let costs = demands.iter().map(cost).fold(coins.last()?.worth, u128::saturating_add);
    let worth = costs.checked_mul(WHOLE)?.checked_div(spare)?.checked_add(1)?;
    (worth <= MAX_NORMALIZED.magnitude()).then_some(worth)
}

/// Where the ratios add up to the whole bid there is no rest: each share is exact, or nothing is.
fn exact(demands: &[Demand], least: u128) -> Option<Steps> {
    let mut unit = 1_u128;
    let mut least = least;
    for demand in demands {
        if demand.ratio == 0 {
            if demand.steps > 0 {
                return None;
            }
            continue;
        }
        // The smallest worth whose share is whole steps, and the worth that the required steps are a share of.
        let whole = demand.coin.worth.checked_mul(WHOLE)?;
        let own = whole.checked_div(common(whole, demand.ratio))?;
        unit = unit.checked_div(common(unit, own))?.checked_mul(own)?;
        least = least.max(whole.checked_mul(demand.steps)?.div_ceil(demand.ratio));
    }
    let worth = least.checked_next_multiple_of(unit)?;
    let mut steps = [0; MAX_DENOMINATIONS];
    for demand in demands {
        let taken = share(demand, worth)?;
        *steps.get_mut(demand.coin.slot)? = taken;
        demand.coin.limit.checked_sub(taken)?;
    }
    Some(steps)
}

/// The greatest common divisor.
fn common(mut a: u128, mut b: u128) -> u128 {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}
