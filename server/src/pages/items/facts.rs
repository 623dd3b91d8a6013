//! An item as page data: the item, its bid form and its bids.

use std::sync::Arc;

use app::blanks::Blank;
use app::components::money::amount_in;
use app::model::{
    BaseUnit, BidBoard, BidCurrency, BidFormData, Bidding, CurrencyNames, PublicPage, SealedBids,
};
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::{BidderVisibility, JoinMode};
use auction_house::bids::PlacedBid;
use auction_house::bids::list::known_people;
use auction_house::bids::pricing::PricingRules;
use auction_house::bids::sealed::SealedBid;
use auction_house::currencies::Currency;
use auction_house::engine::{BidContext, Normalized, RuleSet};
use auction_house::ids::{CurrencyId, UserId};
use auction_house::items::access::ItemView;
use auction_house::items::format::PriceKind;
use auction_house::items::funds::ItemFunds;
use auction_house::items::{Item, ItemStatus};
use platform::time::Moment;

use super::bid_rows::{price_row, row};
use super::bid_words::{entered_in_words, names};
use super::late_bids::late_bids;
use super::least_first_bid::least_first_bid;
use super::pictures::{self, picture};
use super::show::view::ItemPage;
use super::{outcome_facts, sealed_terms};
use crate::pages::auction_facts::excerpt;
use crate::pages::books::facts::page_funds;
use crate::pages::error::Loaded;
use crate::pages::money::{bid_currency, legacy_bid_currency, unit_of_bids};
use crate::pages::money_style::MoneyStyle;
use crate::pages::newest_bids::NewestBids;
use crate::pages::presentation::Presentation;
use crate::pages::public_page::public_page;
use crate::pages::request::PageRequest;
use crate::pages::wire::from_spelling;

/// The least bid that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeastBid {
    pub words: String,
    /// Address of the item's page with its bid form filled in.
    pub address: String,
    /// What the viewer has available in the auction's book, in words, if the bid exceeds it.
    pub exceeds: Option<String>,
}

/// What the viewer's next bid depends on.
pub struct NewBid {
    pub idempotency_key: String,
    /// The viewer was removed from the auction.
    pub is_removed: bool,
    pub funds: ItemFunds,
    /// The viewer's standing bids that stand apart: a sealed one, or tickets.
    pub own: Vec<SealedBid>,
}

/// The page of an item.
pub fn page(
    auction: &AuctionView,
    seen: ItemView,
    pricing: &PricingRules,
    newest: &NewestBids,
    new_bid: NewBid,
    Presentation { description, style, now }: Presentation,
) -> Loaded<ItemPage> {
    let currencies = bid_currencies(&seen, pricing);
    let outcomes = outcome_facts::facts_of_copies(auction, &seen, pricing, style);
    let sealed = new_bid.own.last().filter(|_| seen.item.terms.format.is_sealed());
    let own_sealed = sealed.cloned().map(|bid| {
        let bid = PlacedBid::Apart(Arc::new(bid));
        entered(auction, &seen, pricing, &bid, style)
    });
    let closing = outcome_facts::closing(auction, &seen, pricing, &newest.listed, style, now);
    let overcommitted = new_bid.funds.overcommitted.as_ref().and_then(|leader| {
        let missing = Normalized::ZERO.checked_sub(leader.available)?;
        Some((
            leader.person.name.clone(),
            amount_in(&missing.to_string(), &unit(auction, &seen, pricing, style)),
        ))
    });
    Ok(ItemPage {
        overcommitted,
        funds: page_funds(auction, pricing.currencies(), new_bid.funds.own.as_ref()),
        outcomes,
        closing,
        collection: collection(auction),
        auction_id: auction.auction.id.to_string(),
        auction_name: auction.auction.terms.name.clone(),
        id: seen.item.id.to_string(),
        lot_number: seen.item.lot_number.to_string(),
        terms: seen.item.terms.clone(),
        can_edit: seen.manages(),
        can_print: seen.manages() || seen.viewer.is_seller,
        can_add_pictures: seen.manages() && !pictures::is_closed(auction, &seen, now),
        pictures: seen
            .item
            .images
            .iter()
            .map(|image| picture(seen.item.auction_id, seen.item.id, image))
            .collect(),
        watched: auction.may(Action::WatchItems).then_some(seen.watched),
        status: from_spelling(seen.item.status(now).as_str())?,
        late_bids: late_bids(&seen, now),
        now: now.millis(),
        board: board(
            auction,
            &seen,
            (&currencies, pricing),
            newest,
            unit(auction, &seen, pricing, style),
            own_sealed,
            now,
        )?,
        bidding: bidding(auction, &seen, pricing, currencies, new_bid, style, now),
        seller: seen.people.in_words(&seen.item.seller, true),
        name: seen.item.terms.name,
        description,
        draw: None,
        similar: Vec::new(),
        public: None,
    })
}

/// Where winners pay and collect.
fn collection(auction: &AuctionView) -> Option<String> {
    let place = &auction.auction.terms.collection;
    (!place.is_empty() && !auction.is_outsider()).then(|| place.clone())
}

/// What the pages of an item say to others than the members of its auction, if anyone may read that.
pub fn public_item(request: &PageRequest, auction: &AuctionView, seen: &ItemView) -> Option<PublicPage> {
    let (item, line) = (&seen.item, excerpt(&seen.item.terms.description));
    let text = if line.is_empty() {
        format!("Lot {} of {}.", item.lot_number, auction.auction.terms.name)
    } else {
        line
    };
    let first = item.images.first().map(|image| picture(item.auction_id, item.id, image).medium);
    public_page(request, auction, text, first)
}

/// The names of the currencies in which bids on the item are made.
pub fn currency_names(seen: &ItemView, pricing: &PricingRules) -> Vec<CurrencyNames> {
    bid_currencies(seen, pricing).iter().map(|currency| names(&currency.currency)).collect()
}

/// The unit in which bids on the item are compared.
pub fn unit(auction: &AuctionView, seen: &ItemView, pricing: &PricingRules, style: MoneyStyle) -> BaseUnit {
    let legacy = seen.legacy_price().map(|price| price.currency);
    unit_of_bids(auction.auction.terms.base_unit.as_ref(), pricing.currencies(), None, legacy, style)
}

/// The currencies of the item's bid form.
pub(super) fn bid_currencies(seen: &ItemView, pricing: &PricingRules) -> Vec<FormCurrency> {
    match seen.legacy_price() {
        Some(price) => vec![FormCurrency { is_default: true, currency: legacy_bid_currency(price) }],
        None => pricing.currencies().iter().cloned().map(FormCurrency::from).collect(),
    }
}

/// A bid on the item as it was entered, in words.
pub fn entered(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    bid: &PlacedBid,
    style: MoneyStyle,
) -> String {
    let profile_id = bid.currency_profile_id().map(|id| id.to_string());
    let currencies = bid_currencies(seen, pricing);
    let currency = currencies.iter().find(|choice| choice.currency.profile_id == profile_id);
    let words = currency.map(|choice| {
        entered_in_words(&names(&choice.currency), &unit(auction, seen, pricing, style), bid.entered())
    });
    words.unwrap_or_default()
}

/// The least bid that leads on an open item, in the currency `preferred` or else in the default one.
/// `available` is what the viewer has for it in an auction with a book.
pub fn least_bid(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    preferred: Option<CurrencyId>,
    available: Option<Normalized>,
    style: MoneyStyle,
    now: Moment,
) -> Option<LeastBid> {
    let may_bid =
        auction.role.is_some() && !seen.viewer.is_seller && seen.item.status(now) == ItemStatus::Open;
    let currencies = bid_currencies(seen, pricing);
    let preferred = preferred.map(|id| id.to_string());
    let is_preferred =
        |choice: &&FormCurrency| preferred.is_some() && choice.currency.profile_id == preferred;
    let choice = currencies.iter().filter(|_| may_bid).find(is_preferred);
    let choice =
        choice.or_else(|| currencies.iter().find(|choice| choice.is_default)).or(currencies.first())?;
    let currency = &choice.currency;
    let rules = RuleSet::compile(&currency.definition(), pricing.rules(), &seen.effective_terms()).ok()?;
    let highest = seen.item.highest_bid.as_ref().map(|bid| bid.normalized);
    let bid = rules.suggest(BidContext::over(highest)).filter(|_| may_bid)?;
    let unit = unit(auction, seen, pricing, style);
    let words = entered_in_words(&names(currency), &unit, &bid);
    let worth = rules.normalize(&bid).ok()?.1;
    let exceeded = available.filter(|available| worth > *available);
    let exceeds = exceeded.map(|available| amount_in(&available.to_string(), &unit));
    // The fields of the item's form.
    let counts = bid.entered_representation.iter().flatten();
    let counts =
        counts.map(|entry| (format!("count.{}", entry.denomination), entry.count.as_str().to_owned()));
    let amount = bid.amount.iter().map(|amount| ("amount".to_owned(), amount.as_str().to_owned()));
    let chosen =
        ["currency", "currencyProfileId"].map(|name| Some((name.to_owned(), currency.profile_id.clone()?)));
    let fields: Vec<(String, String)> = chosen.into_iter().flatten().chain(amount).chain(counts).collect();
    let query = serde_urlencoded::to_string(fields).ok()?;
    let address = format!("/auctions/{}/items/{}?{query}", auction.auction.id, seen.item.id);
    Some(LeastBid { words, address, exceeds })
}

/// Whether the viewer may withdraw the bids of others, on an own item perhaps by another manager.
pub fn withdraws(auction: &AuctionView) -> bool {
    auction.may(Action::WithdrawBids)
}

pub fn bid_count(seen: &ItemView) -> u64 {
    u64::try_from(seen.item.bid_count()).unwrap_or(0)
}

/// A currency of the bid form. The form shows the default currency first.
pub(super) struct FormCurrency {
    pub(super) currency: BidCurrency,
    is_default: bool,
}

impl From<Currency> for FormCurrency {
    fn from(currency: Currency) -> Self {
        Self { is_default: currency.is_default, currency: bid_currency(currency) }
    }
}

/// Whether and how the viewer may bid.
pub fn bid_form(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    new_bid: NewBid,
    style: MoneyStyle,
    now: Moment,
) -> Bidding {
    bidding(auction, seen, pricing, bid_currencies(seen, pricing), new_bid, style, now)
}

fn bidding(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    currencies: Vec<FormCurrency>,
    new_bid: NewBid,
    style: MoneyStyle,
    now: Moment,
) -> Bidding {
    if seen.item.status(now) != ItemStatus::Open {
        return Bidding::NotOpen;
    }
    if auction.viewer == UserId::NOBODY {
        return Bidding::SignIn;
    }
    if seen.viewer.is_seller {
        return Bidding::OwnItem;
    }
    if new_bid.is_removed {
        return Bidding::Removed;
    }
    let joins = auction.auction.terms.join_mode == JoinMode::Free;
    if auction.role.is_none() && !joins {
        return Bidding::Outside;
    }
    let rules = pricing.rules().to_vec();
    let selected = currencies.iter().position(|currency| currency.is_default).unwrap_or(0);
    let terms = &auction.auction.terms;
    Bidding::Open(BidFormData {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        currencies: currencies.into_iter().map(|currency| currency.currency).collect(),
        selected,
        base_unit: unit(auction, seen, pricing, style),
        terms: seen.effective_terms(),
        rules,
        available: new_bid.funds.available.map(|available| available.to_string()),
        costs: seen.item.terms.format.sealed().map(|sealed| {
            let words = if sealed.price == PriceKind::Own { "Costs" } else { "Costs at most" };
            words.to_owned()
        }),
        may_be_anonymous: terms.bidder_visibility == BidderVisibility::PerBid,
        idempotency_key: new_bid.idempotency_key,
    })
}

fn board(
    auction: &AuctionView,
    seen: &ItemView,
    (currencies, pricing): (&[FormCurrency], &PricingRules),
    newest: &NewestBids,
    base_unit: BaseUnit,
    own_sealed: Option<String>,
    now: Moment,
) -> Loaded<BidBoard> {
    let bids = &newest.listed;
    let names: Vec<CurrencyNames> = currencies.iter().map(|currency| names(&currency.currency)).collect();
    let rows = bids.iter().map(|bid| row(seen, &names, &base_unit, bid, known_people(seen, bid, now)));
    let rows = rows.collect();
    let sold = seen.item.outcome.as_ref().and_then(|outcome| outcome.sold());
    let sealed = seen.item.terms.format.sealed().map(|terms| SealedBids {
        terms: sealed_terms::in_words(terms, &base_unit, seen.item.status(now) == ItemStatus::Closed),
        own: own_sealed,
        count: seen.sealed_bids.and_then(|count| u64::try_from(count).ok()),
    });
    Ok(BidBoard {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        status: from_spelling(seen.item.status(now).as_str())?,
        ends_at: shown_end(&seen.item).map(Moment::millis),
        sold_for: sold.map(|sold| sold.normalized.to_string()),
        bid_count: bid_count(seen),
        base_unit,
        minimum_bid: least_first_bid(seen, pricing).map(|least| least.to_string()),
        viewer_id: (auction.viewer != UserId::NOBODY).then(|| Blank::ViewerId.text()),
        currencies: names,
        bids: rows,
        earlier: newest.earlier.iter().map(price_row).collect(),
        is_manager: withdraws(auction),
        sealed,
    })
}

/// When the item ended or is to end: an item may be closed before its end.
fn shown_end(item: &Item) -> Option<Moment> {
    [item.closed_at, item.ends_at].into_iter().flatten().min()
}
