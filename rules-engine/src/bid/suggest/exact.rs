//! The bid of exactly the least value, for a price.
//!
//! A suggestion may be worth a little more than the least that is accepted, where that takes fewer pieces. A
//! price may not. Rules demand a least number of some pieces, which follows from the value of the bid; what
//! is left of the value must be a sum of any pieces, which [`Sums`] knows. So each acceptable amount is
//! decided in one step, and the first that passes is the least.

use alloc::{vec, vec::Vec};

use super::{
    Amounts, common_unit,
    demands::{self, UnitDemand},
    fill::{Steps, Unit},
    handover::demanded,
};
use crate::{
    bid::form::{BidForm, Entered},
    bounds::MAX_DENOMINATIONS,
    money::Normalized,
    profile::NormalizedBid,
    rules::{BidContext, RuleSet, condition::Condition},
};

/// Amounts, and counts of one piece, that are tried at most: a tenth of a second at the worst.
const TRIES: u32 = 100_000;
/// The value of one step of the smallest piece, in the largest amount that divides all of them, at most.
const RESIDUES: usize = 100_000;

/// The search came to its limit.
struct TooMany;

impl RuleSet {
    /// The bid with the least value from `from` to `most` that breaks no rule, in any pieces of the currency,
    /// and that value. None if there is none. The rules that compare with a highest bid have no effect.
    ///
    /// Among several bids with that value it is one in written pieces, if they can make up what rules do not
    /// demand; of these the one with the most of the largest piece, then of the next. It is exact where a
    /// step of the smallest piece is at most 100 000 times the largest amount that divides those of all
    /// pieces, and no rule makes it pass over as many amounts. Elsewhere it is what
    /// [`suggest`](Self::suggest) would find from `from` on, if that is at most `most`.
    #[must_use]
    pub fn least_from(&self, from: Normalized, most: Normalized) -> Option<(BidForm, Normalized)> {
        let bound = |amount: Normalized| u128::try_from(amount.mantissa()).unwrap_or(0);
        let found = self.least_steps(bound(from), bound(most));
        let (form, value) = match found {
            Ok(steps) => {
                let bid = NormalizedBid::new(&self.profile, self.counts(&steps?)).ok()?;
                let mut breaches = Vec::new();
                self.evaluate_into(BidContext::default(), &bid, &mut breaches);
                if !breaches.is_empty() {
                    return None;
                }
                (BidForm::from(&Entered::new(&self.profile, bid.counts())), bid.normalized())
            }
            Err(TooMany) => {
                let form = self.suggest_from(BidContext::default(), bound(from))?;
                let value = self.read(&form).ok()?.normalized();
                (form, value)
            }
        };
        (from <= value && value <= most).then_some((form, value))
    }

    fn least_steps(&self, from: u128, most: u128) -> Result<Option<Steps>, TooMany> {
        let context = BidContext::default();
        let conditions = || self.rules.iter().map(|rule| &rule.condition);
        // The value of a bid is above zero.
        let least = conditions().fold(from.max(1), |least, condition| condition.raise(&context, least));
        let most = conditions().fold(most, |most, condition| condition.lower(&context, most));
        let units = self.all_units();
        let amounts = Amounts::new(self, common_unit(&units), most);
        let demands = demands::all(self, &units);
        let sums = Sums::of(&units)?;
        let mut next = amounts.next(least);
        for _ in 0..TRIES {
            let Some(value) = next else { return Ok(None) };
            let demanded = demanded(&demands, value).ok_or(TooMany)?;
            if let Some(rest) = value.checked_sub(demanded.value).filter(|rest| sums.have(*rest)) {
                let steps = self.pieces(&units, &sums, rest)?;
                return within_bounds(&demands, &demanded.steps, &steps).map(Some);
            }
            // A larger bid has to hold no less than what is demanded of this one.
            next = amounts.next(value.saturating_add(1).max(demanded.value));
        }
        Err(TooMany)
    }

    /// Steps of exactly this value, which is a sum of the units: of written pieces if they have it.
    fn pieces(&self, units: &[Unit], sums: &Sums<'_>, value: u128) -> Result<Steps, TooMany> {
        let written: Vec<Unit> = units.iter().copied().filter(|unit| unit.written).collect();
        let of_written = if written.len() < units.len() { Sums::of(&written).ok() } else { None };
        match of_written {
            Some(of_written) if of_written.have(value) => of_written.steps(value),
            _ => sums.steps(value),
        }
    }
}

/// The sum of both, if a bid may have so many.
fn within_bounds(demands: &[UnitDemand], demanded: &Steps, further: &Steps) -> Result<Steps, TooMany> {
    let mut steps = *demanded;
    for (steps, further) in steps.iter_mut().zip(further) {
        *steps = steps.saturating_add(*further);
    }
    let fits =
        |demand: &UnitDemand| steps.get(demand.unit.index).is_some_and(|steps| *steps <= demand.unit.limit);
    if demands.iter().all(fits) { Ok(steps) } else { Err(TooMany) }
}

/// The sums that any numbers of some units can have.
///
/// With each sum its successors by the smallest unit are sums as well. So the least sum of each residue
/// modulo the smallest unit tells them all.
struct Sums<'a> {
    /// Their values fall.
    units: &'a [Unit],
    /// The largest amount that divides all values.
    common: u128,
    /// By residue, in units of `common`; `u128::MAX` if there is no such sum.
    least: Vec<u128>,
}

impl<'a> Sums<'a> {
    fn of(units: &'a [Unit]) -> Result<Self, TooMany> {
        let common = common_unit(units);
        let in_common = |unit: &Unit| unit.value.checked_div(common);
        let modulus = units.last().and_then(in_common).ok_or(TooMany)?;
        let residues = usize::try_from(modulus).ok().filter(|residues| *residues <= RESIDUES);
        let mut least = vec![u128::MAX; residues.ok_or(TooMany)?];
        least.iter_mut().take(1).for_each(|zero| *zero = 0);
        for value in units.iter().rev().skip(1).filter_map(in_common) {
            add(&mut least, value);
        }
        Ok(Self { units, common, least })
    }

    /// Whether an amount is a sum.
    fn have(&self, amount: u128) -> bool {
        let residues = u128::try_from(self.least.len()).unwrap_or(0);
        let residue = |amount: u128| usize::try_from(amount.checked_rem(residues)?).ok();
        let least = |amount| residue(amount).and_then(|residue| self.least.get(residue).copied());
        let whole = amount.is_multiple_of(self.common).then(|| amount.checked_div(self.common)).flatten();
        whole.is_some_and(|amount| least(amount).is_some_and(|least| least <= amount))
    }

    /// The steps of a sum: the most of the largest unit with which the rest still is one, then of the next.
    ///
    /// INVARIANT: such a rest has none of the units before, as more of them could be taken otherwise.
    fn steps(&self, sum: u128) -> Result<Steps, TooMany> {
        let mut steps = [0; MAX_DENOMINATIONS];
        let mut rest = sum;
        let mut tries = 0..TRIES;
        for unit in self.units {
            let mut taken = rest.checked_div(unit.value).ok_or(TooMany)?;
            let mut left = rest.saturating_sub(taken.saturating_mul(unit.value));
            while !self.have(left) {
                tries.next().ok_or(TooMany)?;
                taken = taken.checked_sub(1).ok_or(TooMany)?;
                left = left.saturating_add(unit.value);
            }
            *steps.get_mut(unit.index).ok_or(TooMany)? = taken;
            rest = left;
        }
        Ok(steps)
    }
}

/// Adds a further value to those whose sums are known.
fn add(least: &mut [u128], value: u128) {
    let residues = least.len();
    let remainder = u128::try_from(residues).ok().and_then(|residues| value.checked_rem(residues));
    let step = remainder.and_then(|step| usize::try_from(step).ok()).unwrap_or(0);
    // Steps of the value visit so many cycles of residues.
    let cycles = divisor(step, residues);
    let twice = residues.checked_div(cycles).unwrap_or(0).saturating_mul(2);
    for start in 0..cycles {
        let mut residue = start;
        let mut sum = u128::MAX;
        // The first round may begin above the least sum of the cycle, the second comes from it.
        for _ in 0..twice {
            let Some(known) = least.get_mut(residue) else { return };
            sum = sum.min(*known);
            *known = sum;
            sum = sum.saturating_add(value);
            residue = residue.saturating_add(step);
            residue = residue.checked_sub(residues).unwrap_or(residue);
        }
    }
}

/// The greatest common divisor.
fn divisor(mut a: usize, mut b: usize) -> usize {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        /// Small values, and every amount up to a few times the largest.
        #[test]
        fn sums_are_those_that_steps_make(values in vec(1_u128..40, 1..5), scale in 1_u128..4) {
            let mut units: Vec<Unit> = values
                .iter()
                .enumerate()
                .map(|(index, value)| Unit { index, value: value * scale, limit: 1_000, written: true })
                .collect();
            units.sort_by_key(|unit| u128::MAX - unit.value);
            let sums = Sums::of(&units).unwrap_or_else(|TooMany| panic!("a small table"));
            let mut made = [false; 500];
            made[0] = true;
            for amount in 0..made.len() {
                made[amount] |= units.iter().any(|unit| {
                    usize::try_from(unit.value).is_ok_and(|value| amount >= value && made[amount - value])
                });
                let whole = u128::try_from(amount).expect("small");
                prop_assert_eq!(sums.have(whole), made[amount], "{}", amount);
                if made[amount] {
                    let steps = sums.steps(whole).unwrap_or_else(|TooMany| panic!("few tries"));
                    prop_assert_eq!(super::super::total(&units, &steps), whole);
                }
            }
        }
    }
}
