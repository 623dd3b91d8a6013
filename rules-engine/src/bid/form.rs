//! A bid as it is entered.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    bounds::{self, MAX_DENOMINATIONS, MAX_ENTRIES, MAX_UNITS},
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
        let step = u128::from(profile.rounding().step());
        let whole = u128::try_from(amount.mantissa()).ok().filter(|whole| *whole > 0)?;
        let mut pieces: Vec<(usize, u128)> = Vec::new();
        for (index, piece) in profile.denominations().iter().enumerate().filter(|(_, piece)| piece.written) {
            let value = piece.value.saturating_mul(step);
            let place = pieces.partition_point(|(_, listed)| *listed >= value);
            pieces.insert(place, (index, value));
        }
        let step = profile.rounding().step();
        let limit = MAX_UNITS.checked_div(step)?.saturating_add(1);
        let mut steps: Counts = [0; MAX_DENOMINATIONS];
        fewest(&pieces, whole, limit, &mut steps, &mut { VISITS })?;
        Some(Self::new(profile, &steps.map(|steps| steps.saturating_mul(step))))
    }
}

/// Branches of a search, at most: a fraction of a millisecond's work.
const VISITS: u32 = 20_000;

/// Writes the fewest steps of an exact amount, if they are fewer than `limit`, and returns their number.
///
/// Branch and bound, as for suggested bids: a branch takes so many of the largest piece, most first, and ends
/// where even the next piece alone would need too many. The values of `pieces` fall.
fn fewest(
    pieces: &[(usize, u128)],
    rest: u128,
    mut limit: u64,
    steps: &mut Counts,
    visits: &mut u32,
) -> Option<u64> {
    let ((index, value), smaller) = pieces.split_first()?;
    let next = smaller.first().map_or(u128::MAX, |next| next.1);
    let mut taken = u64::try_from(rest.checked_div(*value)?).ok()?;
    let mut left = rest.checked_rem(*value)?;
    let mut best = None;
    loop {
        let least = u128::from(taken).wrapping_add(left.checked_div(next)?);
        if *visits == 0 || least >= limit.into() {
            return best;
        }
        *visits = visits.wrapping_sub(1);
        let more = if left == 0 {
            // Callers write theirs afterwards.
            steps.fill(0);
            Some(0)
        } else {
            // INVARIANT: what it finds is the best so far, and overwrites what was found before.
            fewest(smaller, left, limit.wrapping_sub(taken), steps, visits)
        };
        if let Some(more) = more {
            *steps.get_mut(*index)? = taken;
            limit = taken.wrapping_add(more);
            best = Some(limit);
        }
        if left == 0 || taken == 0 || smaller.is_empty() {
            return best;
        }
        taken = taken.wrapping_sub(1);
        left = left.wrapping_add(*value);
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
