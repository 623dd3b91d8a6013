//! A bid in numbers.

use super::parsed::{Counts, Profile};
use crate::{bounds::MAX_NORMALIZED, money::Normalized};

/// A bid that passed the input phase: its counts, and its value in base units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizedBid {
    counts: Counts,
    /// In units of 10^-13; above zero and at most 10^15 base units.
    normalized: u128,
}

/// Why counts are no bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueError {
    Zero,
    TooLarge,
}

impl NormalizedBid {
    /// Converts counts to base units, without rounding anything.
    pub(crate) fn new(profile: &Profile, counts: Counts) -> Result<Self, ValueError> {
        match profile.value(&counts) {
            0 => Err(ValueError::Zero),
            normalized if normalized > MAX_NORMALIZED.magnitude() => Err(ValueError::TooLarge),
            normalized => Ok(Self { counts, normalized }),
        }
    }

    /// The value in base units, 0 < n ≤ 10^15.
    #[must_use]
    pub fn normalized(&self) -> Normalized {
        i128::try_from(self.normalized).ok().and_then(Normalized::from_mantissa).unwrap_or_default()
    }

    /// The value in units of 10^-13.
    pub(crate) fn value(&self) -> u128 {
        self.normalized
    }

    /// The counts in the profile's order.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The count of the denomination at `index`, in the profile's units.
    pub(crate) fn count(&self, index: usize) -> u64 {
        self.counts.get(index).copied().unwrap_or(0)
    }
}
