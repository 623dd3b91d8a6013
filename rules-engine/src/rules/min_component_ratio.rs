//! `MIN_COMPONENT_RATIO`
//!
//! # What it checks
//! The value of one denomination in the bid is at least `minRatio` of the value of the whole bid. Both sides are
//! compared exactly, by multiplication.
//!
//! # Why
//! Whoever collects the money may not want it all in small coins.
//!
//! # Example
//! With `{"denomination": "GALLEON", "minRatio": "0.4"}`, where a GALLEON is worth 493 KNUT: 1 GALLEON and
//! 739 KNUT pass (493 of 1232), 1 GALLEON and 740 KNUT do not.
//!
//! # Parameters
//! * `denomination`: a code of the profile that the rule names, in DENOMINATION mode;
//! * `minRatio`: 0 < d ≤ 1, at most 4 fraction digits.

use alloc::{format, string::String};

use super::{Broken, Words};
use crate::{
    bid::Bid,
    bounds::{self, MAX_AMOUNT, MAX_RATIO},
    definition::Faults,
    money::{AMOUNT_DIGITS, Ratio, canonical},
    profile::Profile,
    rules::rule,
    text::ParamsText,
};

/// How large a share of the bid in one denomination.
#[derive(Clone, Debug)]
pub(crate) struct MinComponentRatio {
    pub(super) denomination: String,
    /// Where the profile has it. Meaningless before [`rule::Rule::bind`].
    pub(crate) slot: usize,
    /// Factor × rate of one piece, in units of 10^-9. Likewise.
    pub(super) worth: u128,
    /// In units of 10^-4, at most [`WHOLE`].
    pub(crate) ratio: u128,
}

/// All of a bid, in units of a ratio.
pub(crate) const WHOLE: u128 = MAX_RATIO.magnitude();
/// The digits to which a violation says what a bid's ratio is.
const ACTUAL_DIGITS: u32 = 6;
const ACTUAL_UNIT: u128 = 10_u128.pow(ACTUAL_DIGITS);

impl MinComponentRatio {
    pub(super) fn parse(params: &ParamsText, faults: &mut Faults) -> Option<Self> {
        let denomination = rule::denomination(params, faults);
        let ratio = match &params.min_ratio {
            Some(ratio) => faults.read("params.minRatio", bounds::positive(ratio, MAX_RATIO)),
            None => rule::missing("params.minRatio", faults),
        };
        Some(Self { denomination: denomination?, slot: 0, worth: 0, ratio: ratio?.magnitude() })
    }

    #[inline]
    pub(super) fn check(&self, bid: &Bid) -> Option<Broken> {
        // INVARIANT: both sides fit 128 bits, as bounds.rs proves.
        let component = self.worth.wrapping_mul(bid.count(self.slot).into());
        Broken::below(bid.normalized.wrapping_mul(self.ratio), component.wrapping_mul(WHOLE))
    }

    pub(super) fn explain(&self, profile: &Profile, bid: &Bid, broken: Broken) -> Words {
        let share =
            |unit: u128| broken.actual.wrapping_div(WHOLE).saturating_mul(unit).checked_div(bid.normalized);
        let actual = canonical(false, share(ACTUAL_UNIT).unwrap_or(0), ACTUAL_DIGITS);
        let percent = |ratio, digits: u32| canonical(false, ratio, digits.saturating_sub(2));
        let now = percent(share(ACTUAL_UNIT).unwrap_or(0), ACTUAL_DIGITS);
        let code = &self.denomination;
        let least = match self.ratio {
            WHOLE => format!("The whole bid must be in {code}"),
            ratio => format!("At least {} % of the bid must be in {code}", percent(ratio, Ratio::SCALE)),
        };
        let message = match self.further(profile, bid, broken) {
            Some(further) => format!("{least}, now {now} %: {further} more would do."),
            None => format!("{least}, now {now} %."),
        };
        Words {
            message,
            required: canonical(false, self.ratio, Ratio::SCALE),
            actual,
            denomination: Some(code.clone()),
        }
    }

    /// How many more of the denomination would do, all else as entered; none where no number would.
    fn further(&self, profile: &Profile, bid: &Bid, broken: Broken) -> Option<String> {
        // part + n·worth ≥ ratio·(whole + n·worth), for the least n that the precision allows.
        let gain = self.worth.saturating_mul(WHOLE.saturating_sub(self.ratio));
        let step = u128::from(profile.grid.step());
        let steps = broken.missing().checked_next_multiple_of(gain)?.checked_div(gain)?.div_ceil(step);
        let further = steps.saturating_mul(step);
        let total = further.saturating_add(bid.count(self.slot).into());
        (total <= MAX_AMOUNT.magnitude()).then(|| canonical(false, further, AMOUNT_DIGITS))
    }
}
