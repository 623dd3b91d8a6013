//! What a rule file implements.

use alloc::{string::String, vec::Vec};

use super::{context::BidContext, grid::Grid, parameters::ParamsText};
use crate::{
    bounds::{self, MAX_RATIO},
    definition::{DefinitionError, DefinitionErrors},
    money::{NORMALIZED_DIGITS, canonical},
    profile::{NormalizedBid, Profile},
};

/// A condition that a bid meets or violates, compiled for one profile.
pub(crate) trait Condition {
    /// Whether `bid` violates the condition in this context. Exact, and without an allocation.
    fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall>;

    /// The violation in words.
    fn explain(&self, profile: &Profile, bid: &NormalizedBid, shortfall: Shortfall) -> Explanation;

    /// The smallest normalized amount from `value` on that meets the condition; `value` if the amount does
    /// not matter.
    fn raise(&self, _context: &BidContext, value: u128) -> u128 {
        value
    }

    /// The greatest normalized amount up to `value` that the condition accepts, if it limits amounts from
    /// above; `value` if it does not.
    fn lower(&self, _context: &BidContext, value: u128) -> u128 {
        value
    }

    /// The normalized amounts that the condition accepts from `value` on, up to where another grid applies.
    /// It ends above `value`.
    fn grid(&self, _value: u128) -> Grid {
        Grid::ANY
    }

    /// Whether the condition accepts only some of the amounts in between.
    fn has_grid(&self) -> bool {
        false
    }

    /// What a suggested bid must have of one denomination; none if the counts do not matter.
    fn demand(&self) -> Option<Demand> {
        None
    }
}

/// A rule as an auction configures it, with its parameters within their bounds.
pub(crate) trait Configuration: Clone + Sized {
    /// The rule compiled for one profile.
    type Condition: Condition;

    /// Whether the rule must name a profile.
    const NEEDS_PROFILE: bool;

    /// Reads the parameters. `None` comes with at least one error.
    fn parse(params: &ParamsText, source: Source, errors: &mut DefinitionErrors) -> Option<Self>;

    /// The code of the denomination that the rule is about.
    fn denomination(&self) -> Option<&str> {
        None
    }

    /// Compiles the rule for a profile.
    ///
    /// # Errors
    /// The member that does not fit the profile.
    fn bind(self, profile: &Profile) -> Result<Self::Condition, Vec<DefinitionError>>;
}

/// Where a definition comes from, which decides how many digits a tier may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A request, with the bounds of section 5.
    Request,
    /// A case, in which normalized amounts have up to 13 digits (section 7).
    Case,
}

/// A violated rule in numbers. [`RuleSet::explain`](super::RuleSet::explain) turns it into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The index of the rule in its set.
    pub(crate) rule: usize,
    /// In the units of its condition.
    pub(crate) shortfall: Shortfall,
}

/// What a condition requires and what there is: amounts in units of 10^-13, counts in units of 10^-4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortfall {
    pub(crate) required: u128,
    /// Negative only as the available amount of a bidder in debt.
    pub(crate) actual: i128,
}

impl Shortfall {
    /// What is required, and what the bid has.
    pub(crate) fn new(required: u128, actual: u128) -> Self {
        // INVARIANT: the bounds of a bid are far below those of the type.
        Self { required, actual: i128::try_from(actual).unwrap_or(i128::MAX) }
    }

    /// A shortfall if `actual` is below `required`.
    #[inline]
    pub(crate) fn below(required: u128, actual: u128) -> Option<Self> {
        (actual < required).then(|| Self::new(required, actual))
    }

    /// What there is, as a normalized amount.
    pub(crate) fn actual_amount(self) -> String {
        canonical(self.actual < 0, self.actual.unsigned_abs(), NORMALIZED_DIGITS)
    }

    /// An excess if `actual` is above `most`.
    #[inline]
    pub(crate) fn above(most: u128, actual: u128) -> Option<Self> {
        (actual > most).then(|| Self::new(most, actual))
    }

    /// By how much the amount is too large.
    pub(crate) fn excess(self) -> u128 {
        self.actual.unsigned_abs().saturating_sub(self.required)
    }

    /// The difference.
    pub(crate) fn missing(self) -> u128 {
        self.required.checked_add_signed(self.actual.saturating_neg()).unwrap_or(0)
    }
}

/// A violation in words.
pub(crate) struct Explanation {
    pub(crate) message: String,
    pub(crate) required: String,
    pub(crate) actual: String,
    pub(crate) denomination: Option<String>,
}

impl Explanation {
    /// Explains a shortfall of the normalized amount. `message` gets what is required, and what is missing.
    pub(crate) fn of_amount(shortfall: Shortfall, message: &dyn Fn(&str, &str) -> String) -> Self {
        let print = |amount| canonical(false, amount, NORMALIZED_DIGITS);
        let required = print(shortfall.required);
        let message = message(&required, &print(shortfall.missing()));
        Self { message, required, actual: shortfall.actual_amount(), denomination: None }
    }
}

impl Explanation {
    /// Explains an amount that is too large. `message` gets the most, and what is too much.
    pub(crate) fn of_excess(excess: Shortfall, message: &dyn Fn(&str, &str) -> String) -> Self {
        let print = |amount| canonical(false, amount, NORMALIZED_DIGITS);
        let required = print(excess.required);
        let message = message(&required, &print(excess.excess()));
        Self { message, required, actual: excess.actual_amount(), denomination: None }
    }
}

/// What a condition demands of one denomination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// The position of the denomination in the profile.
    pub(crate) index: usize,
    /// The least count, in units of 10^-4.
    pub(crate) count: u128,
    /// The least share of the bid's value, in units of 1 / [`WHOLE`].
    pub(crate) ratio: u128,
}

/// The whole value of a bid, as a ratio.
pub(crate) const WHOLE: u128 = MAX_RATIO.magnitude();

/// Reads the code of the denomination that a rule is about.
pub(crate) fn denomination(params: &ParamsText, errors: &mut DefinitionErrors) -> Option<String> {
    let code = errors.required("params.denomination", params.denomination.as_deref())?;
    errors.check(bounds::is_code(code), "params.denomination", "must be 1 to 12 of A–Z 0–9 _ -");
    Some(String::from(code))
}
