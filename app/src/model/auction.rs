//! Auctions in lists, and the page of one.

use super::wire::wire_enum;
use super::{BaseUnit, BidCurrency, ItemSummary, Listing, PageFunds, PublicPage, RenderedText};

wire_enum! {
    AuctionStatus {
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

wire_enum! {
    /// The viewer's role in an auction.
    Role {
        Owner = "OWNER",
        Admin = "ADMIN",
        Clerk = "CLERK",
        Creator = "CREATOR",
        Bidder = "BIDDER",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionSummary {
    pub id: String,
    pub name: String,
    pub description: String,
    pub status: AuctionStatus,
    pub item_count: u64,
    pub ends_at: Option<i64>,
    pub my_role: Option<Role>,
    /// Any signed-in user may join without an invitation.
    pub joinable: bool,
}

/// A list of auctions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionList {
    /// The viewer is a member.
    Mine,
    /// Open, and any signed-in user may join. The viewer is no member.
    Joinable,
}

impl AuctionList {
    pub const ALL: [Self; 2] = [Self::Mine, Self::Joinable];

    /// The value in an address.
    pub fn as_query(self) -> &'static str {
        match self {
            Self::Mine => "yours",
            Self::Joinable => "open",
        }
    }
}

/// An auction in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionEntry {
    pub auction: AuctionSummary,
    /// The next end of an item, or that of the auction if it is earlier.
    pub next_end: Option<i64>,
}

/// Which pages of an auction are for the viewer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuctionAccess {
    pub is_member: bool,
    /// The viewer may change the auction.
    pub can_change: bool,
    /// The viewer may bid for others and hammer.
    pub runs_hall: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionPage {
    pub auction: AuctionSummary,
    pub description: RenderedText,
    pub base_unit: BaseUnit,
    /// The currencies that bids are entered in, the default first.
    pub bid_currencies: Vec<BidCurrency>,
    pub items: Listing<ItemSummary>,
    pub currencies: Vec<CurrencySummary>,
    /// Drafts that the viewer may show to the bidders, all at once.
    pub drafts: usize,
    /// The viewer may add items.
    pub can_sell: bool,
    /// The viewer may change the auction.
    pub can_change: bool,
    /// The viewer may watch items.
    pub can_watch: bool,
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
    /// The pot of the auction in words, for members of an auction with a book. Absent if it is 0.
    pub pot: Option<String>,
    /// The group whose people are members: its name, and its address for a viewer who is in it.
    pub group: Option<(String, Option<String>)>,
    /// The last position of the auction's events when the page was read.
    pub position: i64,
    /// Sum that the auction is to bring in.
    pub goal: Option<GoalFacts>,
    /// Address with which others join, if the viewer may pass it on.
    pub join_link: Option<String>,
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
}

/// Sum that an auction is to bring in, and the sum that was bid so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalFacts {
    pub goal: String,
    pub raised: String,
    pub unit: BaseUnit,
    /// The sum that was bid, in thousandths of the goal: at most 1000.
    pub permille: u16,
}

/// A currency of an auction with its value, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencySummary {
    pub name: String,
    pub symbol: String,
    /// Name of each denomination and its value in base units. A currency without denominations has one entry
    /// with an empty name.
    pub values: Vec<(String, String)>,
}
