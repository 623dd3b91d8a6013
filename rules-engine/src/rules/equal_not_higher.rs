//! `EQUAL_NOT_HIGHER`
//!
//! # What it checks
//! If there is a highest bid, the normalized amount is above it: an equal one is not higher.
//!
//! # Why
//! Bids in several currencies can have the same value; the earlier one leads.
//!
//! # Example
//! The highest bid is 493: one of 17 SICKLE, whose value is 493, violates the rule, 17 SICKLE and 1 KNUT do not.
//!
//! # Parameters
//! None: the rule always applies.

use alloc::format;

use super::condition::{Condition, Explanation, Shortfall};
use crate::profile::{NormalizedBid, Profile};

/// Above the highest bid, by any amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualNotHigher;

impl Condition for EqualNotHigher {
    #[inline]
    fn check(&self, highest: Option<u128>, bid: &NormalizedBid) -> Option<Shortfall> {
        let highest = highest?;
        (bid.value() <= highest).then_some(Shortfall { required: highest, actual: bid.value() })
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| match shortfall.missing() {
            0 => format!("More than {required} is needed: this only equals the highest bid."),
            _ => format!("More than {required} is needed: {missing} more only equals the highest bid."),
        })
    }

    fn raise(&self, highest: Option<u128>, value: u128) -> u128 {
        highest.map_or(value, |highest| value.max(highest.saturating_add(1)))
    }
}
