//! `EQUAL_NOT_HIGHER`
//!
//! # What it checks
//! If there is a highest bid, the normalized amount is above it: an equal one is not higher.
//!
//! # Why
//! Bids in several currencies can have the same value; the earlier one leads.
//!
//! # Example
//! The highest bid is 493: one of 17 SICKLE, whose value is 493, violates the rule, 17 SICKLE and 1 KNUT do
//! not.
//!
//! # Parameters
//! None: the rule always applies.

use alloc::format;

use super::{
    condition::{Condition, Explanation, Shortfall},
    context::BidContext,
};
use crate::profile::{NormalizedBid, Profile};

/// Above the highest bid, by any amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualNotHigher;

impl Condition for EqualNotHigher {
    #[inline]
    fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        let highest = context.highest()?;
        (bid.value() <= highest).then(|| Shortfall::new(highest, bid.value()))
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| match shortfall.missing() {
            0 => format!("More than {required} is needed: this only equals the highest bid."),
            _ => format!("More than {required} is needed: {missing} more only equals the highest bid."),
        })
    }

    fn raise(&self, context: &BidContext, value: u128) -> u128 {
        context.highest().map_or(value, |highest| value.max(highest.saturating_add(1)))
    }
}
