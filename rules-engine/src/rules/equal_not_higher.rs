//! `EQUAL_NOT_HIGHER`
//!
//! # What it checks
//! Where there is a highest bid, the normalized amount is above it: an equal one is not higher.
//!
//! # Why
//! Bids in several currencies can meet at the same worth; the earlier one leads.
//!
//! # Example
//! The highest bid is 493: one of 17 SICKLE, worth 493, breaks it, 17 SICKLE and 1 KNUT do not.
//!
//! # Parameters
//! None: it always holds.

use alloc::format;

use super::{Broken, Words};
use crate::{
    bid::Bid,
    money::{NORMALIZED_DIGITS, canonical},
};

/// Higher than the highest, by anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualNotHigher;

impl EqualNotHigher {
    /// The next amount that can be told from the highest bid.
    pub(super) fn least(self, highest: Option<u128>) -> u128 {
        highest.map_or(0, |highest| highest.saturating_add(1))
    }

    #[inline]
    pub(super) fn check(self, highest: Option<u128>, bid: &Bid) -> Option<Broken> {
        let highest = highest?;
        (bid.normalized <= highest).then_some(Broken { required: highest, actual: bid.normalized })
    }

    pub(super) fn explain(self, broken: Broken) -> Words {
        let print = |amount| canonical(false, amount, NORMALIZED_DIGITS);
        let (required, actual) = (print(broken.required), print(broken.actual));
        let message = match broken.missing() {
            0 => format!("More than {required} is needed: this only equals the highest bid."),
            missing => format!(
                "More than {required} is needed: {} more only equals the highest bid.",
                print(missing)
            ),
        };
        Words { message, required, actual, denomination: None }
    }
}
