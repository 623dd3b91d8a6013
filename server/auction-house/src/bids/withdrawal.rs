//! What is known of a withdrawn bid: when, by whom and why it was taken back (SPEC, section 6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::UserId;
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

/// The capacity in which a user withdrew the bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WithdrawnBy {
    Bidder,
    /// An OWNER or ADMIN of the auction.
    Manager,
}

/// Why a bid was withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WithdrawalReason {
    Mistyped,
    WrongItem,
    ItemChanged,
    BidderRemoved,
    Other,
}

impl WithdrawnBy {
    const ALL: [Self; 2] = [Self::Bidder, Self::Manager];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bidder => "BIDDER",
            Self::Manager => "MANAGER",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == name)
    }
}

impl WithdrawalReason {
    pub const ALL: [Self; 5] =
        [Self::Mistyped, Self::WrongItem, Self::ItemChanged, Self::BidderRemoved, Self::Other];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mistyped => "MISTYPED",
            Self::WrongItem => "WRONG_ITEM",
            Self::ItemChanged => "ITEM_CHANGED",
            Self::BidderRemoved => "BIDDER_REMOVED",
            Self::Other => "OTHER",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// Whether a bidder may withdraw a bid for this reason.
    pub fn is_mistake(self) -> bool {
        matches!(self, Self::Mistyped | Self::WrongItem)
    }
}
