//! From exact counts to base units: (Σ count × factor) × rate, without rounding anything.

use alloc::{vec, vec::Vec};

use super::{Bid, Violation, parse::BidDraft};
use crate::{bounds::MAX_NORMALIZED, profile::Profile};

/// Converts a bid to base units (section 6). Its worth must be above zero and at most 10^15.
pub(crate) fn normalize(profile: &Profile, draft: BidDraft) -> Result<Bid, Vec<Violation>> {
    let mut normalized = 0_u128;
    for (piece, count) in profile.pieces.iter().zip(draft.counts) {
        // Within the bounds nothing saturates (bounds.rs proves it); if it did, the bid would be refused.
        normalized = normalized.saturating_add(piece.worth.saturating_mul(count.into()));
    }
    if normalized == 0 {
        Err(vec![Violation::not_positive()])
    } else if normalized > MAX_NORMALIZED.magnitude() {
        Err(vec![Violation::normalized_out_of_range()])
    } else {
        Ok(Bid { counts: draft.counts, normalized })
    }
}
