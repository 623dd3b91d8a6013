//! The page of a clerk as data.

use std::collections::HashSet;
use std::time::Duration;

use app::model::SelectOption;
use auction_house::access;
use auction_house::auctions::access::AuctionView;
use auction_house::bids::pricing::PricingRules;
use auction_house::ids::{ItemId, UserId};
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::format::Format;
use auction_house::items::outcomes::pace::pace;
use auction_house::items::outcomes::results::{self, AuctionResults, ListedResult};
use auction_house::items::running_order::list::held_items;
use auction_house::items::store::outcomes;
use platform::db::{Connection, DbError};
use platform::time::Moment;

use super::clerk::{ClerkLot, ClerkPage};
use super::desk::{DeskFacts, Shown};
use super::expected::Expectations;
use super::next::{in_order, next};
use super::present;
use crate::pages::auction_facts::access as auction_access;
use crate::pages::auctions::results::ResultsQuery;
use crate::pages::auctions::results::list::ResultRow;
use crate::pages::auctions::results_facts;
use crate::pages::error::Loaded;
use crate::pages::items::outcome_facts::{Prices, facts_of_item};
use crate::pages::items::pictures::picture;
use crate::pages::items::sold_price::Money;
use crate::pages::money::default_first;
use crate::pages::money_style::MoneyStyle;

/// Items that come next. The page shows the first of them, and further ones as these are called without a
/// network.
const NEXT: usize = 20;
/// Items in the running list.
const ENTRIES: i64 = 20;
/// Held items that are listed.
const HELD: i64 = 50;
/// Members of the choice of an auction without numbers.
const MEMBERS_MAX: i64 = 500;

/// The parts of the request that the page depends on.
pub struct ClerkView {
    /// Position after which the stream begins. It was read before the auction.
    pub position: i64,
    pub called: Option<ItemId>,
    pub correcting: Option<ItemId>,
    /// The form of who is present was refused.
    pub refused_present: bool,
    pub style: MoneyStyle,
    pub now: Moment,
    /// `now`, as the clerk reads it.
    pub as_of: String,
}

pub async fn page(
    db: &mut Connection,
    auction: &AuctionView,
    pricing: &PricingRules,
    all: &AuctionResults,
    view: ClerkView,
) -> Loaded<ClerkPage> {
    let ClerkView { position, called, correcting, refused_present, style, now, as_of } = view;
    let id = auction.auction.id;
    let sums = results_facts::page(db, auction, pricing, all, ResultsQuery::default(), style).await?;
    let prices = Prices::new(auction, pricing, style);
    let mut seen = HashSet::new();
    let mut newest = outcomes::newest_items(db, id, ENTRIES).await?;
    newest.retain(|item| seen.insert(*item));
    let shown = newest.iter().copied().chain(called).chain(correcting);
    // The first copy of each.
    let listed = results::list(db, shown.map(|item| (item, 1))).await?;
    let row = |item: ItemId| listed.get(&(item, 1)).map(|listed| row(&prices, auction, listed));
    let block = view_items(db, auction, auction.auction.block_item_id.as_slice()).await?;
    let lot = |seen: ItemView| lot(auction, seen, pricing, style);
    let held = held_items(db, id, HELD, now).await?;
    let held = in_order(db, auction, &held).await?;
    let is_own = |item: &&ItemId| {
        let by = listed.get(&(**item, 1)).and_then(|listed| listed.outcome.by.as_ref());
        by.is_some_and(|by| by.id == auction.viewer)
    };
    let last = newest.iter().find(is_own).copied();
    let items: Vec<ItemId> = newest.iter().copied().chain(auction.auction.block_item_id).collect();
    let expectations = Expectations::new(pricing, all);
    let facts = DeskFacts { auction, pricing, expectations: &expectations, style };
    let desk = facts.read(db, Shown { items: &items, last, as_of }, now).await?;
    Ok(ClerkPage {
        auction_id: id.to_string(),
        auction_name: auction.auction.terms.name.clone(),
        access: auction_access(auction),
        block: block.into_iter().next().map(lot),
        next: next(db, auction, NEXT, now).await?.into_iter().map(lot).collect(),
        held: held.into_iter().map(lot).collect(),
        members: members(db, auction).await?,
        currencies: currencies(pricing),
        price_hint: price_hint(pricing),
        called: called.and_then(row),
        correcting: correcting.and_then(row),
        entries: newest.into_iter().filter_map(row).collect(),
        minutes_left: minutes_left(db, auction, sums.counts.open).await?,
        counts: sums.counts,
        total: sums.total,
        present: present::read(db, auction, refused_present).await?,
        desk,
        stream: format!("/api/auctions/{id}/events?after={position}"),
    })
}

fn row(prices: &Prices<'_>, auction: &AuctionView, listed: &ListedResult) -> ResultRow {
    let outcome = prices.facts(&listed.outcome, listed.iso_currency, auction.viewer, true, listed.copies);
    ResultRow {
        item_id: listed.item_id.to_string(),
        lot_number: listed.lot_number.clone(),
        name: listed.name.clone(),
        outcome: if listed.is_draw { outcome.of_prize() } else { outcome },
        charges: Vec::new(),
    }
}

fn lot(auction: &AuctionView, seen: ItemView, pricing: &PricingRules, style: MoneyStyle) -> ClerkLot {
    let prices = Prices::new(auction, pricing, style);
    let legacy = seen.legacy_price().map(|price| price.currency);
    let outcome = facts_of_item(auction, &seen, pricing, style);
    let highest = seen.item.highest_bid.as_ref();
    let price = highest
        .map(|bid| Money { amount: bid.normalized.to_string(), unit: prices.unit(bid.currency_id, legacy) });
    let leader = highest.and_then(|bid| prices.people.in_words(&bid.bidder, true));
    let item = seen.item;
    let image = item.images.first().map(|image| picture(item.auction_id, item.id, image));
    ClerkLot {
        item_id: item.id.to_string(),
        lot_number: item.lot_number.to_string(),
        sold_by: match item.terms.format {
            Format::Open => None,
            Format::Sealed(_) => Some("Sealed bids"),
            Format::Draw(_) => Some("Draw"),
        },
        name: item.terms.name,
        picture: image.map(|picture| (picture.thumbnail.src, picture.alt)),
        estimate: item.terms.estimate,
        price,
        leader,
        outcome,
    }
}

/// How long the sale of the open items takes at the present pace.
async fn minutes_left(
    db: &mut Connection,
    auction: &AuctionView,
    open: usize,
) -> Result<Option<u64>, DbError> {
    let pace = pace(db, auction.auction.id).await?;
    let left = pace.zip(u32::try_from(open).ok()).map(|(pace, open)| pace.saturating_mul(open));
    Ok(left.map(|left: Duration| left.as_secs().div_ceil(60)).filter(|minutes| *minutes > 0))
}

/// The members of an auction without a group.
async fn members(db: &mut Connection, auction: &AuctionView) -> Result<Vec<SelectOption>, DbError> {
    if auction.auction.terms.group_id.is_some() {
        return Ok(Vec::new());
    }
    let found = access::store::names(db, auction.auction.id, auction.viewer, MEMBERS_MAX).await?;
    let option = |(id, name): (UserId, String)| SelectOption { value: id.to_string(), label: name };
    let nobody = SelectOption { value: String::new(), label: "Choose".to_owned() };
    Ok([nobody].into_iter().chain(found.into_iter().map(option)).collect())
}

fn currencies(pricing: &PricingRules) -> Vec<SelectOption> {
    let all = default_first(pricing.currencies());
    let option = |currency: app::model::BidCurrency| SelectOption {
        value: currency.profile_id.unwrap_or_default(),
        label: currency.name,
    };
    if all.len() > 1 { all.into_iter().map(option).collect() } else { Vec::new() }
}

fn price_hint(pricing: &PricingRules) -> String {
    let Some(currency) = default_first(pricing.currencies()).into_iter().next() else { return String::new() };
    if !currency.by_denomination() {
        return currency.plural.unwrap_or(currency.name);
    }
    let pieces = currency.denominations.iter().map(|piece| piece.name.as_str()).collect::<Vec<_>>();
    format!("{}, with points between them", pieces.join("."))
}
