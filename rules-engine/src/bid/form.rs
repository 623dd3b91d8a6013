//! A bid as it is entered.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::suggest;
use crate::{
    bounds::{self, MAX_ENTRIES},
    definition::{DefinitionError, DefinitionErrors},
    money::{Amount, Literal, Normalized},
    profile::{Counts, InputMode, Profile},
    shape::{Value, shape},
};

shape! {
    /// How many of one denomination were entered.
    pub struct EnteredCount as EntryText {
        /// The denomination's code, at most 64 characters.
        pub denomination = "denomination": String [length(max = 64)],
        /// How many.
        pub count = "count": Literal,
    }
}

shape! {
    /// A bid as it was entered: a profile requires one of the two members.
    #[derive(Default)]
    pub struct BidForm as BidText {
        /// Units of the currency, in SCALAR mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub amount = "amount": Option<Literal>,
        /// At most 64 counts, in DENOMINATION mode. An empty list counts as given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub entered_representation = "enteredRepresentation": Option<Vec<EnteredCount>> [length(max = 64)],
    }
}

impl BidForm {
    /// Checks the size limits of a bid (section 6): at most 64 entries, codes of at most 64 characters. A
    /// larger bid is an error and gets no verdict.
    ///
    /// # Errors
    /// All members out of bounds.
    pub fn check(&self) -> Result<(), Vec<DefinitionError>> {
        self.text().check()
    }
}

impl BidText<'_> {
    /// Checks the size limits, like [`BidForm::check`].
    pub(crate) fn check(&self) -> Result<(), Vec<DefinitionError>> {
        let mut errors = DefinitionErrors::default();
        let entries = self.entered_representation.as_deref().unwrap_or_default();
        errors.check(entries.len() <= MAX_ENTRIES, "enteredRepresentation", "must have at most 64 entries");
        for (at, entry) in entries.iter().enumerate().take(MAX_ENTRIES) {
            let path = format_args!("enteredRepresentation.{at}.denomination");
            errors.check(bounds::is_short(&entry.denomination), path, "must have at most 64 characters");
        }
        errors.finish()
    }
}

/// An entered bid, rounded to the profile's precision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entered {
    /// Units of the currency.
    Amount(Amount),
    /// Codes and counts above zero, in the profile's order.
    Representation(Vec<(String, Amount)>),
}

impl Entered {
    /// The entered bid for counts in the profile's order.
    pub(super) fn new(profile: &Profile, counts: &Counts) -> Self {
        let amount = |count: u64| profile.rounding().amount(count);
        match profile.input_mode() {
            InputMode::Scalar => Self::Amount(amount(counts.first().copied().unwrap_or(0))),
            InputMode::Denomination => {
                let counted = profile.denominations().iter().zip(counts).filter(|(_, count)| **count > 0);
                Self::Representation(
                    counted
                        .map(|(denomination, count)| (denomination.code.clone(), amount(*count)))
                        .collect(),
                )
            }
        }
    }
}

impl Entered {
    /// An amount in base units as a bid of the fewest written pieces, of these the most of the largest; in
    /// SCALAR mode as an amount. None if no bid of the profile is worth exactly that, or none was found.
    #[must_use]
    pub fn worth(profile: &Profile, amount: Normalized) -> Option<Self> {
        let counts = suggest::exact(profile, u128::try_from(amount.mantissa()).ok()?)?;
        Some(Self::new(profile, &counts))
    }
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
