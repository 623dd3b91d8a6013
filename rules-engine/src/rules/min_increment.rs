//! `MIN_INCREMENT`
//!
//! # What it checks
//! Where there is a highest bid H, the normalized amount is at least H + increment.
//!
//! # Why
//! Bids that differ by next to nothing make an auction long. An item's own `minIncrementNormalized` acts as one
//! such rule without an id, before the configured ones; each of them must hold.
//!
//! # Example
//! With `{"percent": "5"}` and a highest bid of 2165.5 the next must reach 2273.775.
//!
//! # Parameters
//! Exactly one of
//! * `amount`: base units, 0 < d ≤ 10^15, at most 6 fraction digits;
//! * `percent`: of H, 0 < d ≤ 100, at most 3 fraction digits; rounded up to 13 fraction digits;
//! * `tiers`: 1–32 of `{from, amount}`, the first from 0, strictly rising to at most 10^15. The last tier whose
//!   `from` ≤ H gives the amount.

use alloc::{format, string::String, vec::Vec};

use super::{Broken, Words};
use crate::{
    bid::Bid,
    bounds::{self, MAX_INCREMENT, MAX_NORMALIZED, MAX_PERCENT, MAX_TIERS},
    definition::Faults,
    money::{Fixed, NORMALIZED_DIGITS, Normalized, canonical},
    rules::rule::Source,
    text::{ParamsText, TierText},
};

/// How far above the highest bid. Amounts in units of 10^-13.
#[derive(Clone, Debug)]
pub(crate) enum MinIncrement {
    Amount(u128),
    /// In units of 10^-5 of the highest bid.
    Percent(u128),
    /// INVARIANT: the first starts at 0, and each starts above the one before.
    Tiers(Vec<Step>),
}

/// One tier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    from: u128,
    amount: u128,
}

/// A percentage with its three digits, as a divisor.
const WHOLE: u128 = 100_000;

impl MinIncrement {
    pub(super) fn parse(params: &ParamsText, source: Source, faults: &mut Faults) -> Option<Self> {
        match (&params.amount, &params.percent, &params.tiers) {
            (Some(amount), None, None) => {
                let amount = faults.read("params.amount", bounds::positive(amount, MAX_INCREMENT))?;
                Some(Self::Amount(amount.widen().magnitude()))
            }
            (None, Some(percent), None) => {
                let percent = faults.read("params.percent", bounds::positive(percent, MAX_PERCENT))?;
                Some(Self::Percent(percent.magnitude()))
            }
            (None, None, Some(tiers)) => parse_tiers(tiers, source, faults).map(Self::Tiers),
            _ => {
                faults.add("params", "must have exactly one of amount, percent and tiers");
                None
            }
        }
    }

    pub(super) fn least(&self, highest: Option<u128>) -> u128 {
        highest.map_or(0, |highest| highest.saturating_add(self.increment(highest)))
    }

    #[inline]
    pub(super) fn check(&self, highest: Option<u128>, bid: &Bid) -> Option<Broken> {
        Broken::below(self.least(highest), bid.normalized)
    }

    fn increment(&self, highest: u128) -> u128 {
        match self {
            Self::Amount(amount) => *amount,
            Self::Percent(percent) => highest.saturating_mul(*percent).div_ceil(WHOLE),
            Self::Tiers(tiers) => {
                tiers.iter().rev().find(|tier| tier.from <= highest).map_or(0, |tier| tier.amount)
            }
        }
    }

    pub(super) fn explain(&self, broken: Broken) -> Words {
        let print = |amount| canonical(false, amount, NORMALIZED_DIGITS);
        let (required, actual) = (print(broken.required), print(broken.actual));
        let message = format!("At least {required} is needed: {} more.", print(broken.missing()));
        Words { message, required, actual, denomination: None }
    }
}

fn parse_tiers(tiers: &[TierText], source: Source, faults: &mut Faults) -> Option<Vec<Step>> {
    if !(1..=MAX_TIERS).contains(&tiers.len()) {
        faults.add("params.tiers", "must be 1 to 32");
        return None;
    }
    let mut steps: Vec<Step> = Vec::new();
    for (at, tier) in tiers.iter().enumerate() {
        let from = faults.read(format_args!("params.tiers.{at}.from"), from(&tier.from, source));
        let amount = faults.read(format_args!("params.tiers.{at}.amount"), amount(&tier.amount, source));
        let (Some(from), Some(amount)) = (from, amount) else {
            continue;
        };
        match steps.last() {
            None if at == 0 && from != 0 => faults.add("params.tiers.0.from", "must be 0"),
            Some(before) if from <= before.from => {
                faults.add(format_args!("params.tiers.{at}.from"), "must be above that of the tier before");
            }
            _ => {}
        }
        steps.push(Step { from, amount });
    }
    Some(steps)
}

/// A tier's start: as a request writes it, or with all digits of a normalized amount in a case.
fn from(text: &str, source: Source) -> Result<u128, String> {
    let from = match source {
        Source::Request => bounds::within(text, MAX_FROM).map(Fixed::widen),
        Source::Case => bounds::within(text, MAX_NORMALIZED),
    };
    from.map(Normalized::magnitude)
}

/// A tier's amount, likewise.
fn amount(text: &str, source: Source) -> Result<u128, String> {
    let amount = match source {
        Source::Request => bounds::positive(text, MAX_INCREMENT).map(Fixed::widen),
        Source::Case => bounds::positive(text, MAX_NORMALIZED),
    };
    amount.map(Normalized::magnitude)
}

/// 10^15, with the digits that a request may write.
const MAX_FROM: Fixed<9> = bounds::thousandfold(bounds::thousandfold(Fixed::whole(1_000_000_000)));
