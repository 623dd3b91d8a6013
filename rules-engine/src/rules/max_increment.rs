//! `MAX_INCREMENT`
//!
//! # What it checks
//! If there is a highest bid H, the normalized amount is at most H + increment.
//!
//! # Why
//! Where bids are a game, or may be a joke, a rise stays within what the next bidder can follow.
//!
//! # Example
//! With `{"percent": "10"}` and a highest bid of 100 a bid of 110 passes, 111 does not.
//!
//! # Parameters
//! Exactly one of
//! * `amount`: base units, 0 < d ≤ 10^15, at most 6 fraction digits;
//! * `percent`: of H, 0 < d ≤ 1000, at most 3 fraction digits; rounded down to 13 fraction digits.

use alloc::{format, vec::Vec};

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    context::BidContext,
    parameters::ParamsText,
};
use crate::{
    bounds::{self, MAX_INCREMENT, MAX_RISE},
    definition::{DefinitionError, DefinitionErrors},
    profile::{NormalizedBid, Profile},
};

/// How far above the highest bid, at most.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MaxIncrement {
    /// In units of 10^-13.
    Amount(u128),
    /// In units of 10^-5 of the highest bid.
    Percent(u128),
}

/// 100 % in units of [`MaxIncrement::Percent`].
const HUNDRED_PERCENT: u128 = 100_000;

impl Configuration for MaxIncrement {
    type Condition = Self;

    const NEEDS_PROFILE: bool = false;

    fn parse(params: &ParamsText, _: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        match (&params.amount, &params.percent) {
            (Some(amount), None) => {
                let amount = errors.read("params.amount", bounds::positive(amount, MAX_INCREMENT))?;
                Some(Self::Amount(amount.widen().magnitude()))
            }
            (None, Some(percent)) => {
                let percent = errors.read("params.percent", bounds::positive(percent, MAX_RISE))?;
                Some(Self::Percent(percent.magnitude()))
            }
            _ => {
                errors.add("params", "must have exactly one of amount and percent");
                None
            }
        }
    }

    fn bind(self, _: &Profile) -> Result<Self, Vec<DefinitionError>> {
        Ok(self)
    }
}

impl Condition for MaxIncrement {
    #[inline]
    fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::above(self.most(context)?, bid.value())
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, excess: Shortfall) -> Explanation {
        Explanation::of_excess(excess, &|most, excess| {
            format!("At most {most} may be bid now: {excess} too much.")
        })
    }

    fn lower(&self, context: &BidContext, value: u128) -> u128 {
        self.most(context).map_or(value, |most| most.min(value))
    }
}

impl MaxIncrement {
    /// The most that may be bid; none before the first bid.
    #[inline]
    fn most(&self, context: &BidContext) -> Option<u128> {
        let highest = context.highest()?;
        Some(highest.saturating_add(match self {
            Self::Amount(amount) => *amount,
            // INVARIANT: the product fits 128 bits, as bounds.rs proves.
            Self::Percent(percent) => highest.saturating_mul(*percent).wrapping_div(HUNDRED_PERCENT),
        }))
    }
}
