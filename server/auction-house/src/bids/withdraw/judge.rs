//! Judges the withdrawal of one bid on one state of its item. Nothing here reads or writes.

use std::fmt;

use crate::access::{Action, Role};
use crate::bids::Bid;
use crate::bids::access::sees;
use crate::bids::queue_error::QueueError;
use crate::bids::withdrawal::{WithdrawalReason, WithdrawnBy};
use crate::codes;
use crate::ids::UserId;
use crate::items::ItemStatus;
use crate::items::bidding::BidItem;
use platform::http::problem::Problem;
use platform::refusals;
use platform::time::Moment;
use platform::verb::{Refusal, VerbError};

/// How long a bidder may take a bid back.
const SECONDS_MAX: i64 = 60;
/// How many bids of their own a user may withdraw in one auction.
const OF_BIDDER_MAX: i64 = 3;

refusals! {
    /// Why a bid is not withdrawn.
    pub enum WithdrawRefusal {
        NotAMistake => codes::FORBIDDEN, "You may take your own bid back if it was mistyped or placed on the wrong item.";
        TooLate => codes::TOO_LATE, "A bid can be taken back for 60 seconds, while it is the newest bid and leads, and not shortly before a late end.";
        LimitReached => codes::LIMIT_REACHED, "You have taken back 3 bids in this auction: the others stay.";
        Closed => codes::CLOSED, "The item is closed: its bids stay.";
    }
    wraps { AskAnother(AskAnotherManager), Queue(QueueError) }
}

/// The seller of an item does not withdraw bids on it while other managers can. Has their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskAnotherManager(Vec<String>);

/// Managers named in a refusal.
const NAMED_MAX: usize = 5;

impl fmt::Display for AskAnotherManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(names) = self;
        let named = names.get(..NAMED_MAX).unwrap_or(names).join(" or ");
        write!(f, "You sell this item: ask {named} to withdraw the bid.")
    }
}

impl std::error::Error for AskAnotherManager {}

impl Refusal for AskAnotherManager {
    fn problem(self) -> Problem {
        Problem::new(codes::ASK_ANOTHER_MANAGER, self.to_string())
    }
}

pub type WithdrawError = VerbError<WithdrawRefusal>;

/// Returns the capacity in which a user with this role in the auction may withdraw a bid of `bidder_id`.
/// `others` has the names of the other managers, for a manager who sells the item.
///
/// # Errors
/// `NotFound`, `Forbidden`, or `AskAnother` for the seller beside other managers.
pub fn authorize(
    item: &BidItem,
    user_id: UserId,
    role: Option<Role>,
    bidder_id: UserId,
    others: &[String],
) -> Result<WithdrawnBy, WithdrawError> {
    if !sees(item, user_id, role) {
        return Err(VerbError::NotFound);
    }
    let role = role.ok_or(VerbError::Forbidden)?;
    if bidder_id == user_id {
        Ok(WithdrawnBy::Bidder)
    } else if !role.may(Action::WithdrawBids) {
        Err(VerbError::Forbidden)
    } else if item.seller_id != user_id {
        Ok(WithdrawnBy::Manager)
    } else if others.is_empty() {
        Ok(WithdrawnBy::Seller)
    } else {
        Err(WithdrawRefusal::AskAnother(AskAnotherManager(others.to_owned())).into())
    }
}

/// Whether a standing bid may be withdrawn now. `earlier` counts the bids that its bidder has withdrawn in
/// the auction.
///
/// # Errors
/// `Closed` for a manager or the seller, and in a draw; `NotAMistake`, `TooLate` or `LimitReached` for the
/// bidder.
pub fn check(
    item: &BidItem,
    bid: &Bid,
    by: WithdrawnBy,
    reason: WithdrawalReason,
    earlier: i64,
    now: Moment,
) -> Result<(), WithdrawRefusal> {
    match by {
        WithdrawnBy::Manager | WithdrawnBy::Seller => match item.status(now) {
            ItemStatus::Closed => Err(WithdrawRefusal::Closed),
            ItemStatus::Draft | ItemStatus::Scheduled | ItemStatus::Open => Ok(()),
        },
        // Once the tickets are in the ledger, they were drawn among.
        WithdrawnBy::Bidder if item.format.draw().is_some() => Err(WithdrawRefusal::Closed),
        WithdrawnBy::Bidder if !reason.is_mistake() => Err(WithdrawRefusal::NotAMistake),
        WithdrawnBy::Bidder if !in_time(item, bid, now) => Err(WithdrawRefusal::TooLate),
        WithdrawnBy::Bidder if earlier >= OF_BIDDER_MAX => Err(WithdrawRefusal::LimitReached),
        WithdrawnBy::Bidder => Ok(()),
    }
}

/// Whether its bidder may still take the bid back.
fn in_time(item: &BidItem, bid: &Bid, now: Moment) -> bool {
    let leads = item.leading.is_some_and(|leading| leading.sequence == bid.sequence);
    item.status(now) == ItemStatus::Open
        && leads
        && item.last_sequence == bid.sequence
        && now <= bid.created_at.plus_seconds(SECONDS_MAX)
        && !item.is_late(now)
}
