//! From exact counts to base units.

use alloc::{vec, vec::Vec};

use crate::{
    profile::{Counts, NormalizedBid, Profile, ValueError},
    rules::Violation,
};

/// Converts a bid to base units (section 6). Its value must be above zero and at most 10^15.
pub(super) fn normalize(profile: &Profile, counts: Counts) -> Result<NormalizedBid, Vec<Violation>> {
    NormalizedBid::new(profile, counts).map_err(|error| match error {
        ValueError::Zero => vec![Violation::not_positive()],
        ValueError::TooLarge => vec![Violation::normalized_out_of_range()],
    })
}
