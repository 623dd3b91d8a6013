//! `MIN_INCREMENT`
//!
//! # What it checks
//! If there is a highest bid H, the normalized amount is at least H + increment.
//!
//! # Why
//! Bids that differ by next to nothing make an auction long. An item's own `minIncrementNormalized` acts as one
//! such rule without an id, before the configured ones; each of them must be met.
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

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    parameters::{ParamsText, TierText},
};
use crate::{
    bounds::{self, MAX_INCREMENT, MAX_NORMALIZED, MAX_PERCENT, MAX_TIERS},
    definition::{DefinitionError, DefinitionErrors},
    money::{Fixed, Normalized},
    profile::{NormalizedBid, Profile},
};

/// How far above the highest bid. Amounts are in units of 10^-13.
#[derive(Clone, Debug)]
pub(crate) enum MinIncrement {
    Amount(u128),
    /// In units of 10^-5 of the highest bid.
    Percent(u128),
    /// INVARIANT: the first starts at 0, and each starts above the one before.
    Tiers(Vec<ParsedTier>),
}

/// One tier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParsedTier {
    from: u128,
    amount: u128,
}

/// 100 % in units of [`MinIncrement::Percent`].
const HUNDRED_PERCENT: u128 = 100_000;

impl Configuration for MinIncrement {
    type Condition = Self;

    const NEEDS_PROFILE: bool = false;

    fn parse(params: &ParamsText, source: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        match (&params.amount, &params.percent, &params.tiers) {
            (Some(amount), None, None) => {
                let amount = errors.read("params.amount", bounds::positive(amount, MAX_INCREMENT))?;
                Some(Self::Amount(amount.widen().magnitude()))
            }
            (None, Some(percent), None) => {
                let percent = errors.read("params.percent", bounds::positive(percent, MAX_PERCENT))?;
                Some(Self::Percent(percent.magnitude()))
            }
            (None, None, Some(tiers)) => parse_tiers(tiers, source, errors).map(Self::Tiers),
            _ => {
                errors.add("params", "must have exactly one of amount, percent and tiers");
                None
            }
        }
    }

    fn bind(self, _: &Profile) -> Result<Self, Vec<DefinitionError>> {
        Ok(self)
    }
}

impl Condition for MinIncrement {
    #[inline]
    fn check(&self, highest: Option<u128>, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::below(self.least(highest), bid.value())
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| {
            format!("At least {required} is needed: {missing} more.")
        })
    }

    fn raise(&self, highest: Option<u128>, value: u128) -> u128 {
        value.max(self.least(highest))
    }
}

impl MinIncrement {
    #[inline]
    fn least(&self, highest: Option<u128>) -> u128 {
        highest.map_or(0, |highest| highest.saturating_add(self.increment(highest)))
    }

    fn increment(&self, highest: u128) -> u128 {
        match self {
            Self::Amount(amount) => *amount,
            Self::Percent(percent) => highest.saturating_mul(*percent).div_ceil(HUNDRED_PERCENT),
            Self::Tiers(tiers) => {
                tiers.iter().rev().find(|tier| tier.from <= highest).map_or(0, |tier| tier.amount)
            }
        }
    }
}

fn parse_tiers(tiers: &[TierText], source: Source, errors: &mut DefinitionErrors) -> Option<Vec<ParsedTier>> {
    if !(1..=MAX_TIERS).contains(&tiers.len()) {
        errors.add("params.tiers", "must be 1 to 32");
        return None;
    }
    let mut parsed: Vec<ParsedTier> = Vec::new();
    for (at, tier) in tiers.iter().enumerate() {
        let from = errors.read(format_args!("params.tiers.{at}.from"), parse_from(&tier.from, source));
        let amount =
            errors.read(format_args!("params.tiers.{at}.amount"), parse_amount(&tier.amount, source));
        let (Some(from), Some(amount)) = (from, amount) else {
            continue;
        };
        match parsed.last() {
            None if at == 0 && from != 0 => errors.add("params.tiers.0.from", "must be 0"),
            Some(before) if from <= before.from => {
                errors.add(format_args!("params.tiers.{at}.from"), "must be above that of the tier before");
            }
            _ => {}
        }
        parsed.push(ParsedTier { from, amount });
    }
    Some(parsed)
}

/// Reads the start of a tier, with as many digits as its source may write.
fn parse_from(text: &str, source: Source) -> Result<u128, String> {
    let from = match source {
        Source::Request => bounds::within(text, MAX_FROM).map(Fixed::widen),
        Source::Case => bounds::within(text, MAX_NORMALIZED),
    };
    from.map(Normalized::magnitude)
}

/// Reads the amount of a tier, with as many digits as its source may write.
fn parse_amount(text: &str, source: Source) -> Result<u128, String> {
    let amount = match source {
        Source::Request => bounds::positive(text, MAX_INCREMENT).map(Fixed::widen),
        Source::Case => bounds::positive(text, MAX_NORMALIZED),
    };
    amount.map(Normalized::magnitude)
}

/// 10^15, with the fraction digits that a request may write.
const MAX_FROM: Fixed<9> = bounds::thousandfold(bounds::thousandfold(Fixed::whole(1_000_000_000)));
