//! The items of the viewer in all auctions.

use super::wire::wire_enum;
use super::{AuctionEntry, BaseUnit, BookEntry, ItemSummary};

/// The dashboard. Each list has the first of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DashboardPage {
    /// The viewer's open auctions, the newest first.
    pub auctions: Vec<AuctionEntry>,
    /// The first of the viewer's open books.
    pub books: Vec<BookEntry>,
    /// Items that others lead, the next to end first.
    pub outbid: Section,
    /// Items that end within a day and that the viewer leads or watches, the next to end first.
    pub ends_soon: Section,
    /// The next to end first.
    pub leading: Section,
    /// What is to be paid or collected first, then the last to end first.
    pub won: Section,
    /// The sums of what the viewer has won among these and has not paid, one for each kind of money.
    pub owed: Vec<Owed>,
    /// Open items, the next to end first, then the last to end.
    pub watched: Section,
    /// Open items, the next to end first, then the last to end.
    pub selling: Section,
}

impl DashboardPage {
    pub fn is_empty(&self) -> bool {
        let sections = [&self.outbid, &self.leading, &self.won, &self.watched, &self.selling];
        self.auctions.is_empty()
            && self.books.is_empty()
            && sections.into_iter().all(|section| section.items.is_empty())
    }
}

/// A sum that the viewer has to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// In base units.
    pub amount: String,
    pub unit: BaseUnit,
}

/// The first items of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    pub items: Vec<OwnItem>,
    /// How many items the list has. Absent if it is too long to be counted.
    pub count: Option<usize>,
}

wire_enum! {
    /// How the viewer stands with an item that they have bid on.
    Position {
        Leading = "LEADING",
        Outbid = "OUTBID",
        Won = "WON",
        Lost = "LOST",
        /// The bid is sealed, on an item that is not closed.
        Standing = "STANDING",
    }
}

impl Position {
    pub const ALL: [Self; 5] = [Self::Leading, Self::Outbid, Self::Standing, Self::Won, Self::Lost];

    /// The value in an address.
    pub fn as_query(self) -> String {
        self.as_str().to_ascii_lowercase()
    }
}

/// An item of the viewer with its auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnItem {
    pub auction_id: String,
    pub auction_name: String,
    pub item: ItemSummary,
    /// Absent if the viewer has not bid on it.
    pub bid: Option<OwnBid>,
}

/// The viewer's newest standing bid on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBid {
    pub position: Position,
    /// The amount in words, in the pieces in which it was entered.
    pub entered: String,
    /// The least bid that leads again. Absent if the viewer leads, may not bid, or there is none.
    pub least: Option<LeastBid>,
    /// What is left to be done about an item that the viewer has won. Absent before its outcome is written.
    pub dues: Option<Dues>,
}

/// The least bid that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeastBid {
    pub words: String,
    /// Address of the item's page with its bid form filled in.
    pub address: String,
    /// What the viewer has available in the auction's book, in words, if the bid exceeds it.
    pub exceeds: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dues {
    pub is_paid: bool,
    pub is_collected: bool,
}
