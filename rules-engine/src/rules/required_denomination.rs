//! `REQUIRED_DENOMINATION`
//!
//! # What it checks
//! The bid has at least `minCount` of one denomination, after rounding; one that was not entered counts as 0.
//!
//! # Why
//! An entry fee in tickets, a pledge in a certain coin.
//!
//! # Example
//! With `{"denomination": "SICKLE", "minCount": "2"}` a bid of 7 GALLEON and 1 SICKLE breaks it.
//!
//! # Parameters
//! * `denomination`: a code of the profile that the rule names, in DENOMINATION mode;
//! * `minCount`: 0 < d ≤ 10^12, at most 4 fraction digits.

use alloc::{format, string::String};

use super::{Broken, Words};
use crate::{
    bid::Bid,
    bounds::{self, MAX_AMOUNT},
    definition::Faults,
    money::{AMOUNT_DIGITS, canonical},
    profile::Profile,
    rules::rule,
    text::ParamsText,
};

/// How many of one denomination.
#[derive(Clone, Debug)]
pub(crate) struct RequiredDenomination {
    pub(super) denomination: String,
    /// Where the profile has it. Meaningless before [`rule::Rule::bind`].
    pub(crate) slot: usize,
    /// In units of 10^-4.
    pub(crate) count: u128,
}

impl RequiredDenomination {
    pub(super) fn parse(params: &ParamsText, faults: &mut Faults) -> Option<Self> {
        let denomination = rule::denomination(params, faults);
        let count = match &params.min_count {
            Some(count) => faults.read("params.minCount", bounds::positive(count, MAX_AMOUNT)),
            None => rule::missing("params.minCount", faults),
        };
        Some(Self { denomination: denomination?, slot: 0, count: count?.magnitude() })
    }

    #[inline]
    pub(super) fn check(&self, bid: &Bid) -> Option<Broken> {
        Broken::below(self.count, bid.count(self.slot).into())
    }

    pub(super) fn explain(&self, profile: &Profile, broken: Broken) -> Words {
        let print = |count| canonical(false, count, AMOUNT_DIGITS);
        let (required, actual) = (print(broken.required), print(broken.actual));
        let code = &self.denomination;
        let verb = if required == "1" { "is" } else { "are" };
        // No less than the precision allows to add.
        let further = broken.missing().next_multiple_of(profile.grid.step().into());
        let message = format!("At least {required} {code} {verb} needed: {} more.", print(further));
        Words { message, required, actual, denomination: Some(code.clone()) }
    }
}
