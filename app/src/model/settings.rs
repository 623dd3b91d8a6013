//! The data of the page on which an auction is changed.

use super::{BaseUnit, SelectOption};

/// An auction as its managers change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionSettings {
    pub auction_id: String,
    pub name: String,
    /// Sent with a change, which fails if the auction has a later version.
    pub version: i64,
    /// Names and values of the form's fields. A box that is not checked has none.
    pub fields: Vec<(String, String)>,
    pub ends_at: Option<i64>,
    pub bidder_visibility: String,
    pub item_end_mode: String,
    pub state: AuctionState,
    /// The auction has ever had a bid.
    pub has_bids: bool,
    pub has_standing_bid: bool,
    /// The groups that the viewer may choose, the present one included.
    pub groups: Vec<SelectOption>,
    /// The id of the present group.
    pub group: Option<String>,
    /// The books that the viewer may choose, the present one included.
    pub books: Vec<SelectOption>,
    /// The id of the present book.
    pub book: Option<String>,
    /// The choices of ordinary money. None in an auction with currencies of its own.
    pub iso_currencies: Vec<SelectOption>,
    /// The unit of the goal, if the auction has one.
    pub unit: Option<BaseUnit>,
    /// The goal in words.
    pub goal: Option<String>,
    /// The ends of its first items, for the screen that sets them.
    pub ends: Vec<i64>,
    /// The viewer may delete the auction.
    pub may_delete: bool,
}

/// What the time allows to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionState {
    Open,
    /// Past its end, with an item that lasts longer: the end stays.
    Ended,
    Closed,
}
