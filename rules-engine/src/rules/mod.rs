//! What decides a bid: typed rules, each in a file of its own (section 5).
//!
//! | in this order | holds | file |
//! |---|---|---|
//! | `MIN_BID` | where the item has a minimum | [`min_bid`] |
//! | `EQUAL_NOT_HIGHER` | always | [`equal_not_higher`] |
//! | `MIN_INCREMENT` | where the item has an increment, then as configured | [`min_increment`] |
//! | `MIN_COMPONENT_RATIO` | as configured | [`min_component_ratio`] |
//! | `REQUIRED_DENOMINATION` | as configured | [`required_denomination`] |
//!
//! Within one code the item's own comes first, then the rules by position, then by id. So a verdict does not
//! depend on the order in which rules were given.

pub mod definition;
pub mod equal_not_higher;
pub mod min_bid;
pub mod min_component_ratio;
pub mod min_increment;
pub mod required_denomination;
mod rule;
mod set;

use alloc::string::String;

pub use definition::{RuleDefinition, RuleParams, RuleType, Tier};
pub use rule::Rule;
pub use set::{ItemTerms, RuleSet};

use self::{
    equal_not_higher::EqualNotHigher, min_bid::MinBid, min_component_ratio::MinComponentRatio,
    min_increment::MinIncrement, required_denomination::RequiredDenomination,
};
use crate::{
    bid::{Bid, ViolationCode},
    profile::Profile,
};

/// The table of conditions: one variant a rule, in the order in which violations are listed.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    MinBid(MinBid),
    EqualNotHigher(EqualNotHigher),
    MinIncrement(MinIncrement),
    MinComponentRatio(MinComponentRatio),
    RequiredDenomination(RequiredDenomination),
}

/// A broken rule in numbers, before anyone asks for words: cheap to find, [`RuleSet::explain`] says the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which rule of the set.
    pub(crate) rule: usize,
    /// What it asks for and what it saw, in the units of its condition.
    pub(crate) broken: Broken,
}

/// What a condition asked for and what it saw: in units of 10^-13 an amount, in units of 10^-4 a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) required: u128,
    pub(crate) actual: u128,
}

impl Broken {
    /// Broken where `actual` is below `required`.
    #[inline]
    fn below(required: u128, actual: u128) -> Option<Self> {
        (actual < required).then_some(Self { required, actual })
    }

    /// How much is missing.
    fn missing(self) -> u128 {
        self.required.saturating_sub(self.actual)
    }
}

/// A broken rule in words.
pub(crate) struct Words {
    pub(crate) message: String,
    pub(crate) required: String,
    pub(crate) actual: String,
    pub(crate) denomination: Option<String>,
}

impl Condition {
    pub(crate) fn code(&self) -> ViolationCode {
        match self {
            Self::MinBid(_) => ViolationCode::MinBid,
            Self::EqualNotHigher(_) => ViolationCode::EqualNotHigher,
            Self::MinIncrement(_) => ViolationCode::MinIncrement,
            Self::MinComponentRatio(_) => ViolationCode::MinComponentRatio,
            Self::RequiredDenomination(_) => ViolationCode::RequiredDenomination,
        }
    }

    /// What is wrong with `bid` over the highest one, if anything. Exact, and without an allocation.
    #[inline]
    pub(crate) fn check(&self, highest: Option<u128>, bid: &Bid) -> Option<Broken> {
        match self {
            Self::MinBid(rule) => rule.check(bid),
            Self::EqualNotHigher(rule) => rule.check(highest, bid),
            Self::MinIncrement(rule) => rule.check(highest, bid),
            Self::MinComponentRatio(rule) => rule.check(bid),
            Self::RequiredDenomination(rule) => rule.check(bid),
        }
    }

    /// What the bidder reads.
    pub(crate) fn explain(&self, profile: &Profile, bid: &Bid, broken: Broken) -> Words {
        match self {
            Self::MinBid(rule) => rule.explain(broken),
            Self::EqualNotHigher(rule) => rule.explain(broken),
            Self::MinIncrement(rule) => rule.explain(broken),
            Self::MinComponentRatio(rule) => rule.explain(profile, bid, broken),
            Self::RequiredDenomination(rule) => rule.explain(profile, broken),
        }
    }

    /// The least normalized amount that this condition lets pass; 0 for those on a denomination.
    pub(crate) fn least(&self, highest: Option<u128>) -> u128 {
        match self {
            Self::MinBid(rule) => rule.least(),
            Self::EqualNotHigher(rule) => rule.least(highest),
            Self::MinIncrement(rule) => rule.least(highest),
            Self::MinComponentRatio(_) | Self::RequiredDenomination(_) => 0,
        }
    }
}
