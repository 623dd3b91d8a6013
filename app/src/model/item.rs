//! The page of an item, and those of its bids.

use super::wire::wire_enum;
use super::{
    BaseUnit, BidBoard, BidRow, Bidding, Closing, Listing, OutcomeFacts, PageFunds, Picture, PictureFile,
    PublicPage, RenderedText,
};

wire_enum! {
    ItemStatus {
        Draft = "DRAFT",
        Scheduled = "SCHEDULED",
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    pub auction_id: String,
    pub auction_name: String,
    pub id: String,
    pub name: String,
    pub description: RenderedText,
    pub pictures: Vec<Picture>,
    /// The viewer may add pictures now.
    pub can_add_pictures: bool,
    pub lot_number: String,
    /// The expected price, in any words.
    pub estimate: Option<String>,
    /// Absent if the viewer may not know.
    pub seller: Option<String>,
    /// Whether the viewer watches the item. Absent if the viewer may not.
    pub watched: Option<bool>,
    /// The viewer may change the item.
    pub can_edit: bool,
    /// The viewer manages or sells the item, and prints its label and its bid sheet.
    pub can_print: bool,
    pub status: ItemStatus,
    pub starts_at: Option<i64>,
    /// Absent if late bids do not move the end.
    pub late_bids: Option<LateBids>,
    /// The server's clock when the page was rendered. The countdown uses its difference to the browser's
    /// clock.
    pub now: i64,
    pub bidding: Bidding,
    pub board: BidBoard,
    /// What became of the closed item. That of an item that has just ended follows within seconds.
    /// Of each copy, once the item is closed.
    pub outcomes: Vec<OutcomeFacts>,
    pub closing: Closing,
    /// Where winners pay and collect, if that is said and the viewer is a member.
    pub collection: Option<String>,
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
    /// The leader, if their leading bids exceed what they have, and by how much, in words. For managers.
    pub overcommitted: Option<(String, String)>,
    /// Absent unless chance decides among tickets.
    pub draw: Option<DrawFacts>,
    /// Open lots that the page of a closed item offers instead.
    pub similar: Vec<SimilarLot>,
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
}

/// An open lot, as a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarLot {
    pub address: String,
    pub thumbnail: Option<PictureFile>,
    pub lot_number: String,
    pub name: String,
}

/// The draw of an item, as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawFacts {
    /// Terms of the draw, in sentences.
    pub terms: String,
    /// The price of one ticket, in words.
    pub ticket: String,
    /// How many tickets there are.
    pub count: u64,
    /// The viewer's tickets and their price, in a sentence.
    pub own: Option<String>,
    /// Amount that the viewer has available, in words. Absent in an auction without a book.
    pub available: Option<String>,
    pub seed_hash: Option<String>,
    /// Shown after the draw.
    pub seed: Option<String>,
    /// Path of the page that repeats the draw.
    pub check: Option<String>,
    /// The newest bids, newest first.
    pub tickets: Vec<TicketRow>,
    /// Path of the page with all of them, if there are more.
    pub all: Option<String>,
}

/// Tickets of one bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketRow {
    pub mine: bool,
    /// Absent if the viewer may not know.
    pub bidder: Option<String>,
    pub tickets: u64,
    pub placed_at: i64,
    /// Path of the form that takes them back, if the viewer may, and what its button does, in words.
    pub withdraw: Option<(String, String)>,
}

/// What a late bid does to the end of an open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateBids {
    pub words: String,
    /// How long bidding lasts after a late bid, in milliseconds.
    pub extension: i64,
}

/// One page of the bids on an item, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct BidsPage {
    pub auction_id: String,
    pub item_id: String,
    pub item_name: String,
    pub base_unit: BaseUnit,
    pub bid_count: u64,
    /// The viewer may withdraw the bids of others.
    pub may_withdraw: bool,
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
    pub bids: Listing<BidRow>,
    /// The same as tickets, of a draw.
    pub tickets: Option<Vec<TicketRow>>,
}

/// A bid that the viewer may withdraw.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawPage {
    pub auction_id: String,
    pub item_id: String,
    pub item_name: String,
    pub base_unit: BaseUnit,
    pub bid: BidRow,
    /// The viewer sells the item, and is the only manager of the auction.
    pub is_seller: bool,
    /// A sentence that names the managers who may withdraw the bid instead of the viewer.
    pub ask_instead: Option<String>,
}
