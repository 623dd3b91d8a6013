//! `MIN_BID`
//!
//! # What it checks
//! The bid's normalized amount is at least the item's `minBidNormalized`, whether or not there are bids.
//!
//! # Why
//! The seller's minimum applies in every currency of the auction.
//!
//! # Example
//! The seller entered 3 GALLEON of 493 KNUT each: a bid of 1478 KNUT violates the rule, 1479 KNUT does not.
//!
//! # Parameters
//! None: the rule applies to every item that has a minimum.

use alloc::format;

use super::{
    condition::{Condition, Explanation, Shortfall},
    context::BidContext,
};
use crate::profile::{NormalizedBid, Profile};

/// The item's minimum, in units of 10^-13.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinBid(pub(super) u128);

impl Condition for MinBid {
    #[inline]
    fn check(&self, _: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
        Shortfall::below(self.0, bid.value())
    }

    fn explain(&self, _: &Profile, _: &NormalizedBid, shortfall: Shortfall) -> Explanation {
        Explanation::of_amount(shortfall, &|required, missing| {
            format!("The least bid is {required}: {missing} more.")
        })
    }

    fn raise(&self, _: &BidContext, value: u128) -> u128 {
        value.max(self.0)
    }
}
