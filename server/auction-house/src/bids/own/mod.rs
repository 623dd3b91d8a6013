//! The bids of a user in all auctions: one for each item, with the position of the user.

pub mod document;
pub mod list;
pub mod routes;

use crate::usage::ItemBidOn;
use platform::text_enum;

text_enum! {
    /// How a user stands with an item that they have a standing bid on.
    pub enum Position {
        /// Has the highest bid on an item that has not ended.
        Leading = "LEADING",
        /// Another bid leads.
        Outbid = "OUTBID",
        /// The item was sold to the user. Until the outcome of an ended item is written: has its highest bid.
        Won = "WON",
        /// The item has ended and was not sold to the user.
        Lost = "LOST",
        /// The bid is sealed, on an item that is not closed.
        Standing = "STANDING",
    }
}

impl Position {
    /// The position that `?status=` names, in lower case.
    pub fn of_query(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|position| position.as_str().to_ascii_lowercase() == value)
    }

    /// Whether the item has ended, and whether the user is ahead. None for a sealed bid.
    const fn flags(self) -> Option<(bool, bool)> {
        match self {
            Self::Leading => Some((false, true)),
            Self::Outbid => Some((false, false)),
            Self::Won => Some((true, true)),
            Self::Lost => Some((true, false)),
            Self::Standing => None,
        }
    }

    pub fn of(found: &ItemBidOn) -> Self {
        match (found.item.has_ended, found.is_ahead) {
            (false, true) => Self::Leading,
            (false, false) => Self::Outbid,
            (true, true) => Self::Won,
            (true, false) => Self::Lost,
        }
    }
}
