//! Selling aloud: the page of a clerk, and the screen in the hall.

use super::{
    AuctionAccess, Desk, JoinLink, Money, OutcomeFacts, PictureFile, ResultCounts, ResultRow, SelectOption,
    Totals,
};

/// The clerk's page: lots, members, currencies and what was called.
#[derive(Debug, Clone, PartialEq)]
pub struct ClerkPage {
    pub auction_id: String,
    pub auction_name: String,
    pub access: AuctionAccess,
    /// The item on the block.
    pub block: Option<ClerkLot>,
    /// The open items that come next in the running order.
    pub next: Vec<ClerkLot>,
    /// Items that are left out until they come back.
    pub held: Vec<ClerkLot>,
    /// Members by id, in an auction without a group, where they have no numbers.
    pub members: Vec<SelectOption>,
    /// Currencies that a price may be in, the default first. Empty if there is no choice.
    pub currencies: Vec<SelectOption>,
    /// How a price is typed, in words.
    pub price_hint: String,
    /// The item that was called last.
    pub called: Option<ResultRow>,
    /// The item whose outcome is corrected.
    pub correcting: Option<ResultRow>,
    /// Items in the order of their outcomes, the newest first.
    pub entries: Vec<ResultRow>,
    pub counts: ResultCounts,
    /// How long the open items take at the present pace, once there is one.
    pub minutes_left: Option<u64>,
    pub total: Totals,
    /// The members who are present, in an auction with a book.
    pub present: Option<PresentMembers>,
    pub desk: Desk,
    /// Address of the stream of what happens from here on.
    pub stream: String,
}

/// The members of an auction who are present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresentMembers {
    pub count: usize,
    /// They are recorded by their numbers.
    pub have_numbers: bool,
}

/// The lots of an auction that are still to be called, or a page of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPage {
    pub auction_id: String,
    pub auction_name: String,
    pub access: AuctionAccess,
    /// In the order in which they are called.
    pub lots: Vec<OrderLot>,
    /// Lots that are left out until they come back.
    pub held: Vec<OrderLot>,
    /// Id of the lot that was moved last.
    pub picked: Option<String>,
    pub cursor: Option<String>,
    pub next_cursor: Option<String>,
    /// Id of the first lot of the next page.
    pub beyond: Option<String>,
    /// Address of the stream of what happens from here on.
    pub stream: String,
}

/// A lot of the running order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLot {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
}

/// An item on the block or about to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClerkLot {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
    /// Address and alternative text of its first picture.
    pub picture: Option<(String, String)>,
    pub estimate: Option<String>,
    /// How it is sold, in words, if not by open bids.
    pub sold_by: Option<&'static str>,
    /// The standing price.
    pub price: Option<Money>,
    pub leader: Option<String>,
    pub outcome: Option<OutcomeFacts>,
}

/// The screen of a hall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenPage {
    pub auction_name: String,
    pub block: Option<ScreenLot>,
    /// The open items that come next in the running order.
    pub next: Vec<ScreenLot>,
    /// How many published items there are.
    pub lots: u64,
    /// How many of them are closed, the open one on the block included.
    pub called: u64,
    /// How many members are present.
    pub present: usize,
    /// The way in, if the auction lets people join by a link.
    pub join: Option<JoinLink>,
    /// Address of the stream of its changes.
    pub stream: String,
}

/// An item as a screen shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenLot {
    pub lot_number: String,
    pub name: String,
    pub estimate: Option<String>,
    /// The file of its first picture, and the alternative text.
    pub picture: Option<(PictureFile, String)>,
    /// The price in each currency of the auction.
    pub prices: Vec<Money>,
    /// The leader, or the winners in the order of their copies, as far as a stranger may know them.
    pub people: Vec<String>,
    /// What became of it, or how it is sold if not by open bids, in words.
    pub state: Option<String>,
    /// The item is closed without a winner.
    pub is_passed: bool,
    /// Chance has chosen the winners: they are shown one after the other.
    pub is_drawn: bool,
    pub ends_at: Option<i64>,
}
