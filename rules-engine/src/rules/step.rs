//! `STEP`
//!
//! # What it checks
//! The normalized amount is a whole number of steps, counted from zero. With tiers the amount itself selects
//! the step.
//!
//! # Why
//! Round bids are easy to compare, to call out and to pay.
//!
//! # Example
//! With `{"tiers": [{"from": 0, "step": 1}, {"from": 100, "step": 5}]}` bids of 99, 100 and 105 pass, 99.5
//! and 103 do not.
//!
//! # Parameters
//! Exactly one of
//! * `step`: base units, 0 < d ≤ 10^15, at most 6 fraction digits;
//! * `tiers`: 1–32 of `{from, step}`, the first from 0, strictly rising to at most 10^15. The last tier whose
//!   `from` ≤ the normalized amount gives the step.

use alloc::{format, string::String, vec::Vec};

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    context::BidContext,
    grid::{self, Grid},
    parameters::{ParamsText, TierText},
    tiers::Tiers,
};
use crate::{
    bounds::{self, MAX_INCREMENT},
    definition::{DefinitionError, DefinitionErrors, Unreadable},
    money::{NORMALIZED_DIGITS, canonical},
    profile::{NormalizedBid, Profile},
};

/// A whole number of steps. A single step is the only tier.
#[derive(Clone, Debug)]
pub(crate) struct Step(Tiers);

impl Configuration for Step {
    type Condition = Self;

    const NEEDS_PROFILE: bool = false;

    fn parse(params: &ParamsText, source: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        match (&params.step, &params.tiers) {
            (Some(step), None) => errors.read("params.step", parse_step(step)).map(Tiers::only).map(Self),
            (None, Some(tiers)) => {
                let step = |tier: &TierText| tier.step.as_deref().map(parse_step);
                Tiers::parse(tiers, source, errors, "step", &step).map(Self)
            }
            _ => {
                errors.add("params", "must have exactly one of step and tiers");
                None
            }
        }
    }

    fn bind(self, _: &Profile) -> Result<Self, Vec<DefinitionError>> {
        Ok(self)
    }
}

impl Condition for Step {
    #[inline]
    fn check(&self, _: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        let actual = bid.value();
        // INVARIANT: a step is above zero, and both are at most 10^15, so that the next multiple fits 128
        // bits.
        let required = actual.checked_next_multiple_of(self.0.at(actual).0).unwrap_or(u128::MAX);
        Shortfall::below(required, actual)
    }

    fn explain(&self, _: &Profile, bid: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        // What is required may lie beyond the start of the next tier, where another step applies, or beyond
        // 10^15.
        let next = grid::align(bid.value(), &|value| self.grid(value));
        let reachable = Shortfall { required: next.unwrap_or(shortfall.required), ..shortfall };
        let said = Explanation::of_amount(reachable, &|required, missing| match next {
            Some(_) => format!("Add {missing}: the next step is {required}."),
            None => String::from("Bid less: there is no higher step."),
        });
        Explanation { required: canonical(false, shortfall.required, NORMALIZED_DIGITS), ..said }
    }

    fn grid(&self, value: u128) -> Grid {
        let (step, end) = self.0.at(value);
        Grid { step, end: end.unwrap_or(u128::MAX) }
    }
}

fn parse_step(text: &str) -> Result<u128, Unreadable> {
    bounds::positive(text, MAX_INCREMENT).map(|step| step.widen().magnitude())
}
