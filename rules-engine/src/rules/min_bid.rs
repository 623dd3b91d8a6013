//! `MIN_BID`
//!
//! # What it checks
//! The bid's normalized amount is at least the item's `minBidNormalized`, whether or not there are bids.
//!
//! # Why
//! The seller's least price holds in every currency in which one may bid.
//!
//! # Example
//! The seller entered 3 GALLEON of 493 KNUT each: a bid of 1478 KNUT breaks it, 1479 KNUT does not.
//!
//! # Parameters
//! None: it holds for every item that has a minimum.

use alloc::format;

use super::{Broken, Words};
use crate::{
    bid::Bid,
    money::{NORMALIZED_DIGITS, canonical},
};

/// The item's minimum, in units of 10^-13.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinBid(pub(super) u128);

impl MinBid {
    pub(super) fn least(self) -> u128 {
        self.0
    }

    #[inline]
    pub(super) fn check(self, bid: &Bid) -> Option<Broken> {
        Broken::below(self.0, bid.normalized)
    }

    pub(super) fn explain(self, broken: Broken) -> Words {
        let print = |amount| canonical(false, amount, NORMALIZED_DIGITS);
        let (required, actual) = (print(broken.required), print(broken.actual));
        let message = format!("The least bid is {required}: {} more.", print(broken.missing()));
        Words { message, required, actual, denomination: None }
    }
}
