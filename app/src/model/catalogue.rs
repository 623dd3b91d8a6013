//! The items of a catalogue page, as its island receives them.

use super::BaseUnit;
use super::BidCurrency;
use super::ItemStatus;
use super::PageTime;
use super::PictureFile;
use super::wire::wire_struct;
use rules_engine::LotNumber;

wire_struct! {
    /// The items on one page of an auction, as its island receives them.
    #[derive(Debug)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct Catalogue {
        pub auction_id: String,
        /// Path and query of this page.
        pub address: String,
        /// The auction is open, so its items may still change.
        pub open: bool,
        /// Absent if the viewer is not signed in.
        pub viewer_id: Option<String>,
        pub now: PageTime,
        /// The last position of the auction's events when the page was read.
        pub position: i64,
        pub items: Vec<ItemSummary>,
        /// The currencies in whose pieces prices are written, said once for all items. The default is first.
        pub currencies: Vec<BidCurrency>,
        /// The lot numbers that belong on this page. Absent if that can't be told from the number.
        pub numbers: Option<LotRange>,
        /// Cards instead of rows.
        pub grid: bool,
        /// The viewer may watch items.
        pub can_watch: bool,
    }
}

wire_struct! {
    /// Lot numbers between two others, by the keys of their natural order. Both ends may be open.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct LotRange {
        pub from: Option<String>,
        pub to: Option<String>,
    }
}

impl LotRange {
    pub fn contains(&self, number: &str) -> bool {
        let Ok(number) = number.parse::<LotNumber>() else { return false };
        let key = number.sort_key();
        self.from.as_ref().is_none_or(|from| *from <= key) && self.to.as_ref().is_none_or(|to| key <= *to)
    }
}

wire_struct! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct ItemSummary {
        pub id: String,
        pub lot_number: String,
        pub name: String,
        /// The first picture.
        pub picture: Option<PictureFile>,
        pub status: ItemStatus,
        pub starts_at: Option<i64>,
        pub ends_at: Option<i64>,
        /// What became of an item that was closed when the page was rendered.
        pub outcome: Option<OutcomeLine>,
        /// In base units. Of a closed item the bid that it was sold for.
        pub highest_bid: Option<String>,
        /// The least first bid that the rules accept, in base units.
        pub minimum_bid: Option<String>,
        /// The minimum of the item.
        pub own_minimum: Option<String>,
        pub bid_count: u64,
        /// The profile in which the highest bid was entered.
        pub price_in: Option<String>,
        pub base_unit: BaseUnit,
        /// The viewer is the leader.
        pub leading: bool,
        /// What stands before the price while no bid leads, such as `From`, or instead of one.
        pub no_leader: String,
        /// The viewer may bid on the item while it is open.
        pub takes_bids: bool,
        /// The viewer watches the item.
        pub watched: bool,
        /// The course of the price over the last bids, as the points of a line in a field of 40 by 12. Empty
        /// where it is not drawn.
        pub trend: String,
    }
}

wire_struct! {
    /// What became of a closed item, in one line.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct OutcomeLine {
        /// `Sold to Ada`, without a name that the viewer may not know.
        pub words: String,
        pub closed_at: i64,
    }
}

impl ItemSummary {
    /// The highest bid, or before the first bid the least one.
    pub fn price(&self) -> Option<&str> {
        self.highest_bid.as_deref().or(self.minimum_bid.as_deref())
    }
}
