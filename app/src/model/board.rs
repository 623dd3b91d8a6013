//! The bids on an item, as they change.

use super::BaseUnit;
use super::Denomination;
use super::ItemStatus;
use super::Noun;
use super::wire::wire_struct;
use rules_engine::Normalized;

/// How long bidders may take a bid back.
const TAKE_BACK_MILLISECONDS: i64 = 60_000;

wire_struct! {
    /// The part of an item that changes with each bid.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BidBoard {
        pub auction_id: String,
        pub item_id: String,
        pub status: ItemStatus,
        pub ends_at: Option<i64>,
        /// The bid that the closed item was sold for, in base units.
        pub sold_for: Option<String>,
        pub bid_count: u64,
        pub base_unit: BaseUnit,
        /// The least first bid, in base units.
        pub minimum_bid: Option<String>,
        /// Absent if the viewer is not signed in.
        pub viewer_id: Option<String>,
        /// Names of the currencies of all bids, for the text of bids that arrive later.
        pub currencies: Vec<CurrencyNames>,
        /// The newest bids, newest first. The first that stands is the highest.
        pub bids: Vec<BidRow>,
        /// Some of the standing bids before `bids`, newest first, for the chart: not all of them, so that
        /// their number is bounded, and without their bidders.
        pub earlier: Vec<BidRow>,
        /// The viewer may withdraw the bids of others.
        pub is_manager: bool,
        /// Bids are sealed: none of another is shown before the end.
        pub sealed: Option<SealedBids>,
    }
}

wire_struct! {
    /// Sealed bids, as far as the viewer may know of them before the end.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct SealedBids {
        /// The rules for winners and their prices, in words.
        pub terms: String,
        /// The viewer's own bid that stands, as it was entered.
        pub own: Option<String>,
        /// How many bids stand, for managers and clerks.
        pub count: Option<u64>,
    }
}

impl BidBoard {
    /// The path of the item's page. The API's path of the item is the same below `/api`.
    pub fn page(&self) -> String {
        format!("/auctions/{}/items/{}", self.auction_id, self.item_id)
    }

    pub fn newest_sequence(&self) -> u64 {
        self.bids.first().map_or(0, |bid| bid.sequence)
    }

    pub fn is_open(&self) -> bool {
        self.status == ItemStatus::Open
    }

    /// The viewer has bid, and another bid leads, as far as the listed bids show.
    pub fn is_outbid(&self) -> bool {
        let has_bid = self.bids.iter().any(|bid| bid.mine && bid.withdrawn.is_none());
        has_bid && self.leading().is_some_and(|bid| !bid.mine)
    }

    /// The item is sold for the highest bid. It may be sold to another bidder instead, or to nobody.
    pub fn is_sold(&self) -> bool {
        self.status == ItemStatus::Closed
            && self.sold_for.is_some()
            && self.sold_for.as_deref() == self.highest()
    }

    /// The highest bid, in base units.
    pub fn highest(&self) -> Option<&str> {
        self.leading().map(|bid| bid.normalized_amount.as_str())
    }

    /// The highest standing bid. Of open bids it is the newest; sealed ones came in any order.
    pub fn leading(&self) -> Option<&BidRow> {
        let mut standing = self.bids.iter().filter(|bid| bid.withdrawn.is_none());
        match self.sealed {
            None => standing.next(),
            // Of equal ones the last in the list is the earliest.
            Some(_) => standing.max_by_key(|bid| bid.normalized_amount.parse::<Normalized>().ok()),
        }
    }

    /// Bids are hidden now.
    pub fn is_sealed(&self) -> bool {
        self.sealed.is_some() && self.status != ItemStatus::Closed
    }

    /// The bid with which the viewer leads and how many seconds there are left to take it back, as far as the
    /// page knows.
    pub fn take_back(&self, now: i64) -> Option<(u64, i64)> {
        let leading = self.leading().filter(|bid| bid.mine && self.may_withdraw(bid.sequence, now))?;
        Some((leading.sequence, (leading.placed_at + TAKE_BACK_MILLISECONDS - now) / 1000))
    }

    /// From when on its bidder can't take a bid back.
    pub fn stays_from(bid: &BidRow) -> i64 {
        bid.placed_at + TAKE_BACK_MILLISECONDS + 1
    }

    /// Whether the viewer may withdraw this bid, as far as the page knows. The server decides.
    pub fn may_withdraw(&self, sequence: u64, now: i64) -> bool {
        let Some(bid) = self.bids.iter().find(|bid| bid.sequence == sequence) else { return false };
        let is_newest = self.bids.first().is_some_and(|newest| newest.sequence == sequence);
        let may = if bid.mine { is_newest && now < Self::stays_from(bid) } else { self.is_manager };
        self.is_open() && bid.withdrawn.is_none() && may
    }
}

wire_struct! {
    /// The names of a currency and its denominations. `profile_id` is absent in a legacy auction.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CurrencyNames {
        pub profile_id: Option<String>,
        pub name: String,
        pub plural: Option<String>,
        pub symbol: String,
        pub denominations: Vec<Denomination>,
    }
}

impl CurrencyNames {
    pub fn noun(&self) -> Noun<'_> {
        Noun::new(&self.name, self.plural.as_ref())
    }

    /// The denomination with this code; a deleted one is named by its code.
    pub fn piece<'a>(&'a self, code: &'a str) -> Noun<'a> {
        let found = self.denominations.iter().find(|denomination| denomination.code == code);
        found.map_or(Noun { one: code, several: None }, Denomination::noun)
    }
}

wire_struct! {
    /// A bid in a list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BidRow {
        pub sequence: u64,
        /// Absent if the bidder is hidden from the viewer.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub bidder: Option<String>,
        pub mine: bool,
        pub normalized_amount: String,
        /// The entered representation as text, made by `components::money::in_words`.
        pub entered: String,
        pub placed_at: i64,
        /// Who withdrew it and why, in words.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub withdrawn: Option<String>,
        /// Which clerk entered it and against which rules, in words.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub by_clerk: Option<String>,
    }
}
