//! `MIN_COMPONENT_RATIO`
//!
//! # What it checks
//! The value of one denomination in the bid is at least `minRatio` of the value of the whole bid. Both sides
//! are compared exactly, by multiplication.
//!
//! # Why
//! A seller may not want to be paid in small coins only.
//!
//! # Example
//! With `{"denomination": "GALLEON", "minRatio": "0.4"}`, where a GALLEON is worth 493 KNUT: 1 GALLEON and
//! 739 KNUT pass (493 of 1232), 1 GALLEON and 740 KNUT do not.
//!
//! # Parameters
//! * `denomination`: a code of the profile that the rule names, in DENOMINATION mode;
//! * `minRatio`: 0 < d ≤ 1, at most 4 fraction digits.

use alloc::{format, string::String, vec::Vec};

use super::{
    condition::{self, Condition, Configuration, Demand, Explanation, Shortfall, Source, WHOLE},
    context::BidContext,
    parameters::ParamsText,
};
use crate::{
    bounds::{self, MAX_RATIO, MAX_UNITS},
    definition::{DefinitionError, DefinitionErrors},
    money::{COUNT_DIGITS, Ratio, canonical},
    profile::{BoundDenomination, NormalizedBid, Profile},
};

/// The parameters of the rule.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredRatio {
    denomination: String,
    /// In units of 1 / [`WHOLE`].
    ratio: u128,
}

/// A least share of one denomination in the value of the bid.
#[derive(Clone, Debug)]
pub(crate) struct MinComponentRatio {
    denomination: BoundDenomination,
    /// In units of 1 / [`WHOLE`].
    ratio: u128,
}

/// The digits to which a violation reports the ratio of a bid.
const ACTUAL_DIGITS: u32 = 6;
const ACTUAL_UNIT: u128 = 10_u128.pow(ACTUAL_DIGITS);

impl Configuration for ConfiguredRatio {
    type Condition = MinComponentRatio;

    const NEEDS_PROFILE: bool = true;

    fn parse(params: &ParamsText, _: Source, errors: &mut DefinitionErrors) -> Option<Self> {
        let denomination = condition::denomination(params, errors);
        let ratio = errors.required("params.minRatio", params.min_ratio.as_deref());
        let ratio =
            ratio.and_then(|ratio| errors.read("params.minRatio", bounds::positive(ratio, MAX_RATIO)));
        Some(Self { denomination: denomination?, ratio: ratio?.magnitude() })
    }

    fn denomination(&self) -> Option<&str> {
        Some(&self.denomination)
    }

    fn bind(self, profile: &Profile) -> Result<MinComponentRatio, Vec<DefinitionError>> {
        let denomination = profile.bind(self.denomination)?;
        Ok(MinComponentRatio { denomination, ratio: self.ratio })
    }
}

impl Condition for MinComponentRatio {
    #[inline]
    fn check(&self, _: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        // INVARIANT: both sides fit 128 bits, as bounds.rs proves.
        let component = self.denomination.value.wrapping_mul(bid.count(self.denomination.index).into());
        Shortfall::below(bid.value().wrapping_mul(self.ratio), component.wrapping_mul(WHOLE))
    }

    fn explain(&self, profile: &Profile, bid: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        let component = shortfall.actual.unsigned_abs().wrapping_div(WHOLE);
        let share = component.saturating_mul(ACTUAL_UNIT).checked_div(bid.value()).unwrap_or(0);
        let percent = |ratio, digits: u32| canonical(false, ratio, digits.saturating_sub(2));
        let now = percent(share, ACTUAL_DIGITS);
        let code = &self.denomination.code;
        let least = match self.ratio {
            WHOLE => format!("The whole bid must be in {code}"),
            ratio => format!("At least {} % of the bid must be in {code}", percent(ratio, Ratio::SCALE)),
        };
        let message = match self.further(profile, bid, shortfall) {
            Some(further) => format!("{least}, now {now} %: {further} more would do."),
            None => format!("{least}, now {now} %."),
        };
        Explanation {
            message,
            required: canonical(false, self.ratio, Ratio::SCALE),
            actual: canonical(false, share, ACTUAL_DIGITS),
            denomination: Some(code.clone()),
        }
    }

    fn demand(&self) -> Option<Demand> {
        Some(Demand { index: self.denomination.index, count: 0, ratio: self.ratio })
    }
}

impl MinComponentRatio {
    /// How many more of the denomination would do, with all other counts unchanged; none if no count would.
    fn further(&self, profile: &Profile, bid: &NormalizedBid, shortfall: Shortfall) -> Option<String> {
        // component + n·value ≥ ratio·(whole + n·value), for the least n that the precision allows.
        let gain = self.denomination.value.saturating_mul(WHOLE.saturating_sub(self.ratio));
        let step = u128::from(profile.rounding().step());
        let steps = shortfall.missing().checked_next_multiple_of(gain)?.checked_div(gain)?.div_ceil(step);
        let further = steps.saturating_mul(step);
        let total = further.saturating_add(bid.count(self.denomination.index).into());
        (total <= MAX_UNITS.into()).then(|| canonical(false, further, COUNT_DIGITS))
    }
}
