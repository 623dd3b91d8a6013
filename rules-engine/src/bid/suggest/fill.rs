//! The smallest worth at or above a given one, in few pieces.
//!
//! Counts are multiples of 10^-precision, so that everything is a whole number of *steps* of a *coin*: that much
//! of one denomination, with the worth and the limit that go with it.

use crate::bounds::MAX_DENOMINATIONS;

/// One step of a denomination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coin {
    /// Where the profile has the denomination.
    pub(super) slot: usize,
    /// What a step is worth, in units of 10^-13. Above zero.
    pub(super) worth: u128,
    /// Steps that a bid may have, at most.
    pub(super) limit: u128,
}

/// Steps of each denomination, in the profile's order.
pub(super) type Steps = [u128; MAX_DENOMINATIONS];

/// What `steps` are worth together, in units of 10^-13.
pub(super) fn value(coins: &[Coin], steps: &Steps) -> u128 {
    let worth = |coin: &Coin| steps.get(coin.slot).map_or(0, |steps| steps.saturating_mul(coin.worth));
    coins.iter().map(worth).fold(0, u128::saturating_add)
}

/// Steps worth at least `least`, as little above it as is found, in as few pieces as are found. `coins` fall.
///
/// Where each worth divides the next larger both are the best there is. For then whoever has enough small coins
/// for a larger one can swap some of them for it exactly: taking as many of the largest as fit loses no worth,
/// and each swap saves pieces.
pub(super) fn find(coins: &[Coin], least: u128) -> Option<Steps> {
    if divides(coins) {
        let steps = reach(coins, least)?;
        return Some(pay(coins, value(coins, &steps)).unwrap_or(steps));
    }
    // Otherwise every run of neighbouring coins has its try. That misses mixtures, but no run is refused.
    let runs = (0..coins.len())
        .flat_map(|first| (first..coins.len()).filter_map(move |last| coins.get(first..=last)));
    let tries = runs.filter_map(|run| {
        let steps = reach(run, least)?;
        Some(pay(coins, value(coins, &steps)).unwrap_or(steps))
    });
    tries.min_by_key(|steps| (value(coins, steps), pieces(steps)))
}

/// Whether each worth divides the next larger.
fn divides(coins: &[Coin]) -> bool {
    let pairs = coins.iter().zip(coins.iter().skip(1));
    pairs.into_iter().all(|(larger, smaller)| larger.worth.is_multiple_of(smaller.worth))
}

fn pieces(steps: &Steps) -> u128 {
    steps.iter().copied().fold(0, u128::saturating_add)
}

/// Steps worth at least `least`: as many of each coin as fit, and one more of it where the smaller ones
/// together would not do. None if all coins together do not.
fn reach(coins: &[Coin], least: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut rest = least;
    let mut below = coins.iter().map(all).fold(0, u128::saturating_add);
    if below < least {
        return None;
    }
    for coin in coins {
        below = below.saturating_sub(all(coin));
        let fit = rest.checked_div(coin.worth)?.min(coin.limit);
        let after = rest.saturating_sub(fit.saturating_mul(coin.worth));
        let enough = after <= below;
        // INVARIANT: the rest is within reach of this coin and those below, so one more is within its limit.
        let taken = if enough { fit } else { fit.saturating_add(1) };
        *steps.get_mut(coin.slot)? = taken;
        rest = if enough { after } else { 0 };
    }
    Some(steps)
}

/// All steps of one coin.
fn all(coin: &Coin) -> u128 {
    coin.worth.saturating_mul(coin.limit)
}

/// Exactly `worth`, the larger coins first. None if that leaves a rest.
fn pay(coins: &[Coin], worth: u128) -> Option<Steps> {
    let mut steps = [0; MAX_DENOMINATIONS];
    let mut rest = worth;
    for coin in coins {
        let fit = rest.checked_div(coin.worth)?.min(coin.limit);
        *steps.get_mut(coin.slot)? = fit;
        rest = rest.saturating_sub(fit.saturating_mul(coin.worth));
    }
    (rest == 0).then_some(steps)
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// Coins of which each is worth so many times the next smaller, with limits so small that they bind.
    fn chain() -> impl Strategy<Value = Vec<Coin>> {
        (1_u128..4, vec((1_u128..5, 1_u128..5), 1..5)).prop_map(|(first, coins)| {
            let mut worth = first;
            let mut chain = Vec::new();
            for (slot, (times, limit)) in coins.into_iter().enumerate() {
                worth *= times;
                chain.push(Coin { slot, worth, limit });
            }
            chain.reverse();
            chain
        })
    }

    /// Of all steps worth at least `least` the least worth, then the fewest pieces, then the most of the first.
    fn best(coins: &[Coin], least: u128) -> Option<Steps> {
        let mut all = vec![[0; MAX_DENOMINATIONS]];
        for coin in coins {
            let more = |steps: &Steps| {
                let steps = *steps;
                (0..=coin.limit).map(move |taken| {
                    let mut steps = steps;
                    steps[coin.slot] = taken;
                    steps
                })
            };
            all = all.iter().flat_map(more).collect();
        }
        all.retain(|steps| value(coins, steps) >= least);
        let first = |steps: &Steps| coins.iter().map(|coin| u128::MAX - steps[coin.slot]).collect::<Vec<_>>();
        all.into_iter().min_by_key(|steps| (value(coins, steps), pieces(steps), first(steps)))
    }

    proptest! {
        #[test]
        fn a_chain_of_coins_is_filled_best_also_at_its_limits(coins in chain(), least in 0_u128..400) {
            prop_assert_eq!(find(&coins, least), best(&coins, least));
        }

        #[test]
        fn whatever_can_be_reached_is_reached(worths in vec((1_u128..50, 1_u128..5), 1..5), least in 0_u128..400) {
            let coin = |(slot, (worth, limit)): (usize, (u128, u128))| Coin { slot, worth, limit };
            let mut coins: Vec<Coin> = worths.into_iter().enumerate().map(coin).collect();
            coins.sort_by_key(|coin| u128::MAX - coin.worth);
            let found = find(&coins, least);
            prop_assert_eq!(found.is_some(), best(&coins, least).is_some());
            if let Some(steps) = found {
                prop_assert!(value(&coins, &steps) >= least);
                prop_assert!(coins.iter().all(|coin| steps[coin.slot] <= coin.limit));
            }
        }
    }
}
