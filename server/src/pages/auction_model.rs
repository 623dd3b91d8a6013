//! Auctions in the words of their pages.

use app::model::{
    AuctionPage, AuctionStatus, AuctionSummary, BaseUnit, CurrencySummary, ItemStatus, ItemSummary, Listing,
    NewItemPage, Role,
};

use auction_house::engine::{BidForm, EnteredCount, ItemTerms, RuleSet};

use super::item_model::bid_currency;
use auction_house::access;
use auction_house::auctions::access::SeenAuction;
use auction_house::auctions::{self, Auction, ItemEndMode, JoinMode};
use auction_house::currencies::Currency;
use auction_house::items::see::SeenItem;
use auction_house::items::{self, LegacyPrice};
use platform::paging::Paged;
use platform::time::Moment;

pub fn summary(seen: SeenAuction, item_count: u64, now: Moment) -> AuctionSummary {
    let status = if seen.auction.is_closed(now) { AuctionStatus::Closed } else { AuctionStatus::Open };
    let terms = seen.auction.terms;
    AuctionSummary {
        id: seen.auction.id.to_string(),
        name: terms.name,
        description: terms.description,
        status,
        item_count,
        ends_at: terms.end_date.map(Moment::millis),
        my_role: seen.role.map(role),
        joinable: terms.join_mode == JoinMode::Free,
    }
}

pub fn page(
    seen: SeenAuction,
    item_count: u64,
    items: Paged<SeenItem>,
    currencies: Vec<Currency>,
    now: Moment,
) -> AuctionPage {
    let can_sell =
        seen.role.is_some_and(|role| access::Role::SELLERS.contains(&role)) && !seen.auction.has_ended(now);
    let unit = seen.auction.terms.base_unit.clone();
    let entries = items.entries.into_iter().map(|item| item_summary(item, unit.as_ref(), now));
    AuctionPage {
        items: Listing { entries: entries.collect(), next_cursor: items.next_cursor },
        base_unit: base_unit(unit.as_ref(), None),
        currencies: currencies.into_iter().map(currency_summary).collect(),
        can_sell,
        auction: summary(seen, item_count, now),
    }
}

pub fn new_item(auction: Auction, currencies: Vec<Currency>) -> NewItemPage {
    NewItemPage {
        auction_id: auction.id.to_string(),
        base_unit: base_unit(auction.terms.base_unit.as_ref(), None),
        auction_name: auction.terms.name,
        selected: currencies.iter().position(|currency| currency.is_default).unwrap_or(0),
        currencies: currencies.into_iter().map(bid_currency).collect(),
        own_end: auction.terms.item_end_mode == ItemEndMode::Custom,
    }
}

fn item_summary(seen: SeenItem, unit: Option<&auctions::BaseUnit>, now: Moment) -> ItemSummary {
    let terms = seen.effective_terms();
    let leads = |bid: &items::HighestBid| bid.bidder.id == seen.onlooker.viewer;
    ItemSummary {
        id: seen.item.id.to_string(),
        status: item_status(seen.item.status(now)),
        ends_at: seen.item.ends_at.map(Moment::millis),
        highest_bid: seen.item.highest_bid.as_ref().map(|bid| bid.normalized.to_string()),
        minimum_bid: terms.min_bid_normalized.map(|minimum| minimum.to_string()),
        bid_count: u64::try_from(seen.item.last_sequence).unwrap_or(0),
        base_unit: base_unit(unit, seen.legacy_price()),
        leading: seen.item.highest_bid.as_ref().is_some_and(leads),
        name: seen.item.terms.name,
    }
}

/// What an item's bids are compared in: the auction's base unit, or a legacy item's currency itself.
pub fn base_unit(unit: Option<&auctions::BaseUnit>, legacy: Option<&LegacyPrice>) -> BaseUnit {
    match (legacy, unit) {
        (Some(price), _) => {
            BaseUnit { name: price.currency.code().to_owned(), symbol: price.currency.symbol().to_string() }
        }
        (None, Some(unit)) => BaseUnit { name: unit.name.clone(), symbol: unit.symbol.clone() },
        (None, None) => BaseUnit::default(),
    }
}

fn currency_summary(currency: Currency) -> CurrencySummary {
    CurrencySummary { values: worths(&currency), name: currency.name, symbol: currency.symbol }
}

/// What one piece is called, and what it is worth in base units; one nameless piece where there are no
/// denominations.
pub fn worths(currency: &Currency) -> Vec<(String, String)> {
    if currency.names.is_empty() {
        return vec![(String::new(), currency.definition.rate_to_base.to_string())];
    }
    let codes = currency.definition.denominations.iter().map(|piece| piece.code.as_str());
    let rules = RuleSet::compile(&currency.definition, &[], &ItemTerms::default());
    let worth = |code: &str| worth_of_one(rules.as_ref().ok()?, code);
    let named = currency.names.iter().zip(codes);
    named.filter_map(|(names, code)| Some((names.name.clone(), worth(code)?))).collect()
}

/// What one piece is worth in base units, as the engine would count it in a bid.
fn worth_of_one(rules: &RuleSet, code: &str) -> Option<String> {
    let one = EnteredCount { denomination: code.to_owned(), count: "1".into() };
    let bid = BidForm { amount: None, entered_representation: Some(vec![one]) };
    rules.normalize(&bid).ok().map(|(_, worth)| worth.to_string())
}

pub fn item_status(status: items::ItemStatus) -> ItemStatus {
    match status {
        items::ItemStatus::Draft => ItemStatus::Draft,
        items::ItemStatus::Scheduled => ItemStatus::Scheduled,
        items::ItemStatus::Open => ItemStatus::Open,
        items::ItemStatus::Closed => ItemStatus::Closed,
    }
}

fn role(role: access::Role) -> Role {
    match role {
        access::Role::Owner => Role::Owner,
        access::Role::Admin => Role::Admin,
        access::Role::Creator => Role::Creator,
        access::Role::Bidder => Role::Bidder,
    }
}
