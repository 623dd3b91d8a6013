//! From exact counts to base units: (Σ count × factor) × rate, without rounding anything.

use alloc::{vec, vec::Vec};

use super::{Bid, Counts, Violation, parse::BidDraft};
use crate::{bounds::MAX_NORMALIZED, profile::Profile};

/// Converts a bid to base units (section 6). Its worth must be above zero and at most 10^15.
pub(crate) fn normalize(profile: &Profile, draft: BidDraft) -> Result<Bid, Vec<Violation>> {
    let normalized = worth(profile, &draft.counts);
    if normalized == 0 {
        Err(vec![Violation::not_positive()])
    } else if normalized > MAX_NORMALIZED.magnitude() {
        Err(vec![Violation::normalized_out_of_range()])
    } else {
        Ok(Bid { counts: draft.counts, normalized })
    }
}

/// What counts in the profile's order are worth, in units of 10^-13.
pub(crate) fn worth(profile: &Profile, counts: &Counts) -> u128 {
    let mut worth = 0_u128;
    for (piece, count) in profile.pieces.iter().zip(counts) {
        // INVARIANT: within the bounds nothing leaves 128 bits, as bounds.rs proves.
        worth = worth.wrapping_add(piece.worth.wrapping_mul((*count).into()));
    }
    worth
}
