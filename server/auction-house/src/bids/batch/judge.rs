//! Judges one bid on one state of its item. Nothing here reads or writes: a batch judges on the state that it is about to
//! change, [`validate`](crate::bids::validate) on the last committed one, and both get the same answer for the same state.

use rules_engine::money::Normalized;
use rules_engine::{BidContext, BidForm, RuleSet, Violation};

use crate::access::{Action, Role};
use crate::bids::entered::EnteredBid;
use crate::ids::UserId;
use crate::items::ItemStatus;
use crate::items::bidding::BidItem;
use platform::time::Moment;

/// Why a bid is not accepted on the state that it was judged on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no such item")]
    NotFound,
    #[error("the bidder was removed from the auction")]
    Removed,
    #[error("the item is the bidder's own")]
    OwnItem,
    /// The bidder would become a holder of the auction's book by the bid.
    #[error("the book has no room for another holder")]
    BookFull,
    #[error("the item is not open: {0:?}")]
    NotOpen(ItemStatus),
    #[error("it breaks rules")]
    Rejected(Rejection),
}

/// Every rule that a bid breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Absent where the bid could not be normalized.
    pub normalized: Option<Normalized>,
    pub violations: Vec<Violation>,
}

impl From<Violation> for Rejection {
    fn from(violation: Violation) -> Self {
        Self { normalized: None, violations: vec![violation] }
    }
}

/// An accepted bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    pub entered: BidForm,
    pub normalized: Normalized,
    /// The item's end in force with this bid.
    pub ends_at: Option<Moment>,
}

/// How a user stands with the auction of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BidderStanding {
    Member(Role),
    /// Joins a FREE auction with the first bid.
    Other,
    /// Was removed, and can't join by a bid.
    Excluded,
}

impl BidderStanding {
    pub fn of(role: Option<Role>, is_excluded: bool) -> Self {
        match role {
            Some(role) => Self::Member(role),
            None if is_excluded => Self::Excluded,
            None => Self::Other,
        }
    }

    fn role(self) -> Option<Role> {
        match self {
            Self::Member(role) => Some(role),
            Self::Other | Self::Excluded => None,
        }
    }
}

/// Whether a user may bid on the item while it is open: a member, or in a FREE auction anyone who was not removed, but never
/// its seller. An item that the user may not see is `NotFound`: its creator and the managers alone see a draft.
///
/// # Errors
/// `NotFound`, `Removed` or `OwnItem`.
pub fn authorize(item: &BidItem, bidder_id: UserId, standing: BidderStanding) -> Result<(), Refusal> {
    match standing {
        _ if !sees(item, bidder_id, standing.role()) => Err(Refusal::NotFound),
        BidderStanding::Excluded => Err(Refusal::Removed),
        _ if item.seller_id == bidder_id => Err(Refusal::OwnItem),
        BidderStanding::Member(_) | BidderStanding::Other => Ok(()),
    }
}

/// What a user may do who closes an item now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseRight {
    /// The item is hidden from the user.
    Hidden,
    Forbidden,
    /// The seller, while the item has no standing bid.
    WithoutBids,
    /// A manager of the auction.
    Always,
}

/// The right of a user with this role in the item's auction to end the item now.
pub fn close_right(item: &BidItem, user_id: UserId, role: Option<Role>) -> CloseRight {
    if !sees(item, user_id, role) {
        CloseRight::Hidden
    } else if role.is_some_and(|role| role.may(Action::CloseItems)) {
        CloseRight::Always
    } else if item.seller_id == user_id && role.is_some() {
        CloseRight::WithoutBids
    } else {
        CloseRight::Forbidden
    }
}

/// Whether the user may see the item: its creator and the managers alone see a draft.
pub fn sees(item: &BidItem, user_id: UserId, role: Option<Role>) -> bool {
    let sees_auction = role.is_some() || item.is_free;
    let sees_drafts = item.creator_id == user_id || role.is_some_and(|role| role.may(Action::ManageItems));
    sees_auction && (item.is_published || sees_drafts)
}

/// Whether the item takes bids now.
///
/// # Errors
/// `NotOpen`.
pub fn check_open(item: &BidItem, now: Moment) -> Result<(), Refusal> {
    match item.status(now) {
        ItemStatus::Open => Ok(()),
        status => Err(Refusal::NotOpen(status)),
    }
}

/// The verdict on a bid that is authorized, on an open item, by a bidder who has so much available for it; `None` in an
/// auction without a book.
///
/// # Errors
/// Every rule that it breaks.
pub fn evaluate(
    item: &BidItem,
    rules: &RuleSet,
    entered: &EnteredBid,
    available: Option<Normalized>,
    now: Moment,
) -> Result<Acceptance, Rejection> {
    let context = BidContext { highest: item.highest(), available };
    let verdict = rules.evaluate(context, entered.form());
    match (verdict.entered, verdict.normalized) {
        (Some(entered), Some(normalized)) if verdict.violations.is_empty() => {
            Ok(Acceptance { entered: BidForm::from(&entered), normalized, ends_at: item.end_after_bid(now) })
        }
        (_, normalized) => Err(Rejection { normalized, violations: verdict.violations }),
    }
}
