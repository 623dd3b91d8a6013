//! `REQUIRED_DENOMINATION`
//!
//! # What it checks
//! The bid has at least `minCount` of one denomination, after rounding; one that was not entered counts as 0.
//!
//! # Why
//! An entry fee in tickets, a pledge in a certain coin.
//!
//! # Example
//! With `{"denomination": "SICKLE", "minCount": "2"}` a bid of 7 GALLEON and 1 SICKLE violates the rule.
//!
//! # Parameters
//! * `denomination`: a code of the profile that the rule names, in DENOMINATION mode;
//! * `minCount`: 0 < d ≤ 10^12, at most 4 fraction digits.

use alloc::{format, string::String, vec::Vec};

use super::{
    condition::{self, Condition, Configuration, Demand, Explanation, Shortfall, Source},
    context::BidContext,
    parameters::ParamsText,
};
use crate::{
    bounds::{self, MAX_COUNT},
    definition::{DefinitionError, DefinitionErrors},
    money::{COUNT_DIGITS, canonical},
    profile::{BoundDenomination, NormalizedBid, Profile},
};

/// The parameters of the rule.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredCount {
    denomination: String,
    /// In units of 10^-4.
    count: u128,
}

/// A least count of one denomination.
#[derive(Clone, Debug)]
pub(crate) struct RequiredDenomination {
    denomination: BoundDenomination,
    /// In units of 10^-4.
    count: u128,
}

impl Configuration for ConfiguredCount {
    type Condition = RequiredDenomination;

    const NEEDS_PROFILE: bool = true;

    fn parse(params: &ParamsText, _: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        let denomination = condition::denomination(params, errors);
        let count = errors.required("params.minCount", params.min_count.as_deref());
        let count =
            count.and_then(|count| errors.read("params.minCount", bounds::positive(count, MAX_COUNT)));
        Some(Self { denomination: denomination?, count: count?.magnitude() })
    }

    fn denomination(&self) -> Option<&str> {
        Some(&self.denomination)
    }

    fn bind(self, profile: &Profile) -> Result<RequiredDenomination, Vec<DefinitionError>> {
        let denomination = profile.bind(self.denomination)?;
        Ok(RequiredDenomination { denomination, count: self.count })
    }
}

impl Condition for RequiredDenomination {
    #[inline]
    fn check(&self, _: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::below(self.count, bid.count(self.denomination.index).into())
    }

    fn explain(&self, profile: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        let print = |count| canonical(false, count, COUNT_DIGITS);
        let (required, actual) = (print(shortfall.required), print(shortfall.actual.unsigned_abs()));
        let code = &self.denomination.code;
        let verb = if required == "1" { "is" } else { "are" };
        // At least one step of the precision.
        let further = shortfall.missing().next_multiple_of(profile.rounding().step().into());
        let message = format!("At least {required} {code} {verb} needed: {} more.", print(further));
        Explanation { message, required, actual, denomination: Some(code.clone()) }
    }

    fn demand(&self) -> Option<Demand> {
        Some(Demand { index: self.denomination.index, count: self.count, ratio: 0 })
    }
}
