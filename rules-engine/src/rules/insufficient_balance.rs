//! `INSUFFICIENT_BALANCE`
//!
//! # What it checks
//! In an auction with a book, the normalized amount is at most what the bidder has available for the item.
//!
//! # Why
//! A bidder can pay every bid that leads. Once another bid leads, the amount is available again.
//!
//! # Example
//! A pupil has 300 tickets and leads another item with 120: a bid of 181 violates the rule, one of 180 does
//! not.
//!
//! # Parameters
//! None: the rule applies to every bid in an auction with a book.

use alloc::format;

use super::{
    condition::{Condition, Explanation, Shortfall},
    context::BidContext,
};
use crate::{
    money::Normalized,
    profile::{NormalizedBid, Profile},
};

/// At most what the bidder has available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InsufficientBalance;

impl Condition for InsufficientBalance {
    #[inline]
    fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        let available = context.available.map(Normalized::mantissa)?;
        let affordable = u128::try_from(available).is_ok_and(|available| bid.value() <= available);
        (!affordable).then_some(Shortfall { required: bid.value(), actual: available })
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|_, missing| {
            format!("You have {} available: {missing} too much.", shortfall.actual_amount())
        })
    }

    fn lower(&self, context: &BidContext, value: u128) -> u128 {
        let available = context.available.map(|available| u128::try_from(available.mantissa()).unwrap_or(0));
        available.map_or(value, |available| available.min(value))
    }
}
