//! `MIN_INCREMENT`
//!
//! # What it checks
//! If there is a highest bid H, the normalized amount is at least H + increment.
//!
//! # Why
//! Bids that differ by next to nothing make an auction long. An item's own `minIncrementNormalized` acts as
//! one such rule without an id, before the configured ones; each of them must be met.
//!
//! # Example
//! With `{"percent": "5"}` and a highest bid of 2165.5 the next must reach 2273.775.
//!
//! # Parameters
//! Exactly one of
//! * `amount`: base units, 0 < d ≤ 10^15, at most 6 fraction digits;
//! * `percent`: of H, 0 < d ≤ 100, at most 3 fraction digits; rounded up to 13 fraction digits;
//! * `tiers`: 1–32 of `{from, amount}`, the first from 0, strictly rising to at most 10^15. The last tier
//!   whose `from` ≤ H gives the amount.

use alloc::{format, vec::Vec};

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    context::BidContext,
    parameters::{ParamsText, TierText},
    tiers::Tiers,
};
use crate::{
    bounds::{self, MAX_INCREMENT, MAX_NORMALIZED, MAX_PERCENT},
    definition::{DefinitionError, DefinitionErrors, Unreadable},
    money::{Fixed, Normalized},
    profile::{NormalizedBid, Profile},
};

/// How far above the highest bid. Amounts are in units of 10^-13.
#[derive(Clone, Debug)]
pub(crate) enum MinIncrement {
    Amount(u128),
    /// In units of 10^-5 of the highest bid.
    Percent(u128),
    Tiers(Tiers),
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
            (None, None, Some(tiers)) => {
                let amount = |tier: &TierText| tier.amount.as_deref().map(|text| parse_amount(text, source));
                Tiers::parse(tiers, source, errors, "amount", &amount).map(Self::Tiers)
            }
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
    fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::below(self.least(context), bid.value())
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| {
            format!("At least {required} is needed: {missing} more.")
        })
    }

    fn raise(&self, context: &BidContext, value: u128) -> u128 {
        value.max(self.least(context))
    }
}

impl MinIncrement {
    #[inline]
    fn least(&self, context: &BidContext) -> u128 {
        context.highest().map_or(0, |highest| highest.saturating_add(self.increment(highest)))
    }

    fn increment(&self, highest: u128) -> u128 {
        match self {
            Self::Amount(amount) => *amount,
            Self::Percent(percent) => highest.saturating_mul(*percent).div_ceil(HUNDRED_PERCENT),
            Self::Tiers(tiers) => tiers.at(highest).0,
        }
    }
}

/// Reads the amount of a tier, with as many digits as its source may write.
fn parse_amount(text: &str, source: Source) -> Result<u128, Unreadable> {
    let amount = match source {
        Source::Request => bounds::positive(text, MAX_INCREMENT).map(Fixed::widen),
        Source::Case => bounds::positive(text, MAX_NORMALIZED),
    };
    amount.map(Normalized::magnitude)
}
