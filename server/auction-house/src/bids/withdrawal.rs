//! What is known of a withdrawn bid: when, by whom and why it was taken back (SPEC, section 6).

use crate::ids::UserId;
use platform::text_enum;
use platform::time::Moment;

/// The withdrawal of a bid. It is final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// 1, 2, 3 … within the item, in the order of the withdrawals.
    pub number: i64,
    pub at: Moment,
    pub by: WithdrawnBy,
    /// The account of the bidder or the manager.
    pub user_id: UserId,
    pub reason: WithdrawalReason,
    /// 1–500 characters.
    pub note: Option<String>,
}

impl Withdrawal {
    /// The note, for a viewer who may know the bidder or not: it may name them. The reason that the seller of
    /// the item gives is for all members.
    pub fn shown_note(&self, shows_bidder: bool, is_to_outsiders: bool) -> Option<&str> {
        let is_shown = !is_to_outsiders && (shows_bidder || self.by == WithdrawnBy::Seller);
        self.note.as_deref().filter(|_| is_shown)
    }
}

text_enum! {
    /// The capacity in which a user withdrew a bid.
    pub enum WithdrawnBy {
        Bidder = "BIDDER",
        /// An OWNER or ADMIN of the auction.
        Manager = "MANAGER",
        /// The one OWNER or ADMIN of the auction, who sells the item.
        Seller = "SELLER",
    }
}

text_enum! {
    /// Why a bid was withdrawn.
    pub enum WithdrawalReason {
        Mistyped = "MISTYPED",
        WrongItem = "WRONG_ITEM",
        ItemChanged = "ITEM_CHANGED",
        BidderRemoved = "BIDDER_REMOVED",
        Other = "OTHER",
    }
}

impl WithdrawalReason {
    /// Whether a bidder may withdraw a bid for this reason.
    pub fn is_mistake(self) -> bool {
        matches!(self, Self::Mistyped | Self::WrongItem)
    }
}
