//! `MAX_BID`
//!
//! # What it checks
//! The normalized amount is at most `amount`.
//!
//! # Why
//! A club or a class may agree that nothing goes for more.
//!
//! # Example
//! With `{"amount": "100"}` bids of 99 and 100 pass, 101 does not.
//!
//! # Parameters
//! `amount`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.

use alloc::{format, vec::Vec};

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    context::BidContext,
    parameters::ParamsText,
};
use crate::{
    bounds::{self, MAX_INCREMENT},
    definition::{DefinitionError, DefinitionErrors},
    profile::{NormalizedBid, Profile},
};

/// The largest bid, in units of 10^-13.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxBid(u128);

impl Configuration for MaxBid {
    type Condition = Self;

    const NEEDS_PROFILE: bool = false;

    fn parse(params: &ParamsText, _: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        let amount = errors.required("params.amount", params.amount.as_deref())?;
        let amount = errors.read("params.amount", bounds::positive(amount, MAX_INCREMENT))?;
        Some(Self(amount.widen().magnitude()))
    }

    fn bind(self, _: &Profile) -> Result<Self, Vec<DefinitionError>> {
        Ok(self)
    }
}

impl Condition for MaxBid {
    #[inline]
    fn check(&self, _: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::above(self.0, bid.value())
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, excess: Shortfall) -> Explanation {
        Explanation::of_excess(excess, &|most, excess| {
            format!("The largest bid is {most}: {excess} too much.")
        })
    }

    fn lower(&self, _: &BidContext, value: u128) -> u128 {
        value.min(self.0)
    }
}
