//! `STEP`
//!
//! # What it checks
//! The normalized amount is a whole number of steps, counted from zero. With tiers the amount itself selects
//! the step. With a ladder the amount is below its first value, or one of its values times 1, 10, 100, ….
//!
//! # Why
//! Round bids are easy to compare, to call out and to pay.
//!
//! # Example
//! With `{"tiers": [{"from": 0, "step": 1}, {"from": 100, "step": 5}]}` bids of 99, 100 and 105 pass, 99.5
//! and 103 do not. With `{"ladder": [1, 2, 5]}` bids of 5, 10, 20 and 500 pass, 3 and 15 do not.
//!
//! # Parameters
//! Exactly one of
//! * `step`: base units, 0 < d ≤ 10^15, at most 6 fraction digits;
//! * `ladder`: 1–64 values, each as a step, strictly rising, the last below ten times the first;
//! * `tiers`: 1–32 of `{from, step}`, the first from 0, strictly rising to at most 10^15. The last tier whose
//!   `from` ≤ the normalized amount gives the step.

use alloc::{format, vec::Vec};

use super::{
    condition::{Condition, Configuration, Explanation, Shortfall, Source},
    context::BidContext,
    grid::{self, Grid},
    ladder::Ladder,
    parameters::{ParamsText, TierText},
    tiers::Tiers,
};
use crate::{
    bounds::{self, MAX_INCREMENT},
    definition::{DefinitionError, DefinitionErrors, Unreadable},
    profile::{NormalizedBid, Profile},
};

/// A whole number of steps, or a value of a ladder. A single step is the only tier.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Tiers(Tiers),
    Ladder(Ladder),
}

impl Configuration for Step {
    type Condition = Self;

    const NEEDS_PROFILE: bool = false;

    fn parse(params: &ParamsText, source: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        match (&params.step, &params.ladder, &params.tiers) {
            (Some(step), None, None) => {
                errors.read("params.step", parse_step(step)).map(Tiers::only).map(Self::Tiers)
            }
            (None, Some(values), None) => Ladder::parse(values, errors).map(Self::Ladder),
            (None, None, Some(tiers)) => {
                let step = |tier: &TierText| tier.step.as_deref().map(parse_step);
                Tiers::parse(tiers, source, errors, "step", &step).map(Self::Tiers)
            }
            _ => {
                errors.add("params", "must have exactly one of step, ladder and tiers");
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
        match self {
            Self::Tiers(tiers) if actual.is_multiple_of(tiers.at(actual).0) => None,
            Self::Tiers(_) => Some(Shortfall::new(self.next(actual), actual)),
            Self::Ladder(ladder) => Shortfall::below(ladder.next(actual), actual),
        }
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| {
            format!("Add {missing}: the next step is {required}.")
        })
    }

    fn has_grid(&self) -> bool {
        true
    }

    fn grid(&self, value: u128) -> Grid {
        match self {
            Self::Tiers(tiers) => {
                let (step, end) = tiers.at(value);
                Grid { step, end: end.unwrap_or(u128::MAX) }
            }
            Self::Ladder(ladder) => ladder.grid(value),
        }
    }
}

impl Step {
    /// The smallest amount from `value` on that meets the condition, even beyond the largest bid. The next
    /// multiple may lie beyond the start of the next tier, where another step applies.
    fn next(&self, value: u128) -> u128 {
        // INVARIANT: a step is at most 10^15, so that the last tier has a multiple that fits 128 bits.
        grid::align(u128::MAX, value, &|value| self.grid(value)).unwrap_or(value)
    }
}

pub(super) fn parse_step(text: &str) -> Result<u128, Unreadable> {
    bounds::positive(text, MAX_INCREMENT).map(|step| step.widen().magnitude())
}
