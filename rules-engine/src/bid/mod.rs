//! The path of a bid: parse, normalize, evaluate. And the way back, from the rules to the least bid.

mod evaluate;
mod flaw;
mod normalize;
mod parse;
mod suggest;
mod verdict;
mod violation;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

pub use verdict::Verdict;
pub use violation::{Violation, ViolationCode};

use crate::{
    bounds::{self, MAX_DENOMINATIONS, MAX_ENTRIES},
    definition::{DefinitionError, Faults},
    money::{AMOUNT_DIGITS, Amount, Literal, Normalized},
    profile::{InputMode, Profile},
    text::BidText,
};

/// A bid as it was entered: of its two members a profile wants one.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BidForm {
    /// Units of the currency, in SCALAR mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Literal>,
    /// At most 64 counts, in DENOMINATION mode. An empty list is a given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 64)))]
    pub entered_representation: Option<Vec<EnteredCount>>,
}

/// How many of one denomination were entered.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnteredCount {
    /// The denomination's code, at most 64 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 64)))]
    pub denomination: String,
    /// How many.
    pub count: Literal,
}

impl BidForm {
    /// Checks the bounds that make a bid worth judging (section 6): at most 64 entries, codes of at most 64
    /// characters. A bid past them is no bid, and gets no verdict.
    ///
    /// # Errors
    /// All members out of bounds.
    pub fn check(&self) -> Result<(), Vec<DefinitionError>> {
        BidText::from(self).check()
    }
}

impl BidText<'_> {
    /// As [`BidForm::check`].
    pub(crate) fn check(&self) -> Result<(), Vec<DefinitionError>> {
        let mut faults = Faults::default();
        let entries = self.entries.as_deref().unwrap_or_default();
        faults.check(entries.len() <= MAX_ENTRIES, "enteredRepresentation", "must have at most 64 entries");
        for (at, entry) in entries.iter().enumerate().take(MAX_ENTRIES) {
            let path = format_args!("enteredRepresentation.{at}.denomination");
            faults.check(bounds::is_short(&entry.denomination), path, "must have at most 64 characters");
        }
        faults.finish()
    }
}

/// What was entered, brought to the profile's precision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entered {
    /// Units of the currency.
    Amount(Amount),
    /// Codes and counts above zero, in the profile's order.
    Representation(Vec<(String, Amount)>),
}

impl From<&Entered> for BidForm {
    /// The form that, entered again, gives the same bid.
    fn from(entered: &Entered) -> Self {
        match entered {
            Entered::Amount(amount) => Self { amount: Some((*amount).into()), entered_representation: None },
            Entered::Representation(counts) => {
                let entry = |(denomination, count): &(String, Amount)| EnteredCount {
                    denomination: denomination.clone(),
                    count: (*count).into(),
                };
                Self { amount: None, entered_representation: Some(counts.iter().map(entry).collect()) }
            }
        }
    }
}

/// Counts in the profile's order, in units of 10^-4; in SCALAR mode the amount alone, as the first.
///
/// INVARIANT: each is at most 10^12, that is 10^16 units.
pub(crate) type Counts = [u64; MAX_DENOMINATIONS];

/// A bid that passed the input phase: what was entered, and its worth in base units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bid {
    pub(crate) counts: Counts,
    /// In units of 10^-13; above zero and at most 10^15 base units.
    pub(crate) normalized: u128,
}

impl Bid {
    /// The bid's worth in base units, 0 < n ≤ 10^15.
    #[must_use]
    pub fn normalized(&self) -> Normalized {
        i128::try_from(self.normalized).ok().and_then(Normalized::from_mantissa).unwrap_or_default()
    }

    /// What was entered, in the words of its profile.
    pub(crate) fn entered(&self, profile: &Profile) -> Entered {
        let amount = |count: u64| Amount::from_mantissa(count.into()).unwrap_or_default();
        match profile.input_mode() {
            InputMode::Scalar => Entered::Amount(amount(self.count(0))),
            InputMode::Denomination => {
                let counted = profile.pieces.iter().zip(self.counts).filter(|(_, count)| *count > 0);
                Entered::Representation(
                    counted.map(|(piece, count)| (piece.code.to_owned(), amount(count))).collect(),
                )
            }
        }
    }

    /// The count at `slot`, in units of 10^-4.
    pub(crate) fn count(&self, slot: usize) -> u64 {
        self.counts.get(slot).copied().unwrap_or(0)
    }
}

const _: () = assert!(AMOUNT_DIGITS == 4, "counts are kept in units of 10^-4");
