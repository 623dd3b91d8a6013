//! An item in the words of its page: what it is, how one bids on it, and who has.

use app::components::money::in_words;
use app::model::{
    BidBoard, BidCurrency, BidDesk, BidRow, Bidding, CurrencyNames, DenominationName, ItemPage,
};
use rules_engine::{BidForm, EnteredCount};

use super::auction_model::{base_unit, item_status};
use crate::auctions::BidderVisibility;
use crate::auctions::access::SeenAuction;
use crate::bids::market::legacy_profile;
use crate::bids::{self, Bid};
use crate::clock::Moment;
use crate::currencies::{self, Currency};
use crate::db::{Connection, DbError};
use crate::entropy;
use crate::items::see::SeenItem;
use crate::items::{ItemStatus, LegacyPrice};
use crate::rules;

/// Bids that the page begins with.
const BIDS: u32 = 50;

pub async fn read(
    conn: &mut Connection,
    auction: SeenAuction,
    seen: SeenItem,
    now: Moment,
) -> Result<ItemPage, DbError> {
    let (auction_id, item_id) = (auction.auction.id, seen.item.id);
    let currencies = match seen.legacy_price() {
        Some(price) => vec![legacy_currency(price)],
        None => {
            let currencies = currencies::store::of_auction(conn, auction_id).await?.into_iter();
            let desk = |currency: Currency| DeskCurrency {
                is_default: currency.is_default,
                currency: bid_currency(currency),
            };
            currencies.map(desk).collect()
        }
    };
    let bids = bids::store::newest(conn, auction_id, item_id, i64::MAX, BIDS).await?;
    let board = board(&auction, &seen, &currencies, bids, now);
    Ok(ItemPage {
        auction_id: auction_id.to_string(),
        auction_name: auction.auction.terms.name.clone(),
        id: item_id.to_string(),
        status: item_status(seen.item.status(now)),
        starts_at: seen.item.terms.starts_at.map(Moment::millis),
        now: now.millis(),
        bidding: bidding(conn, &auction, &seen, currencies, now).await?,
        board,
        seller: seen.item.creator.name,
        name: seen.item.terms.name,
        description: seen.item.terms.description,
    })
}

/// A currency with whether it is the one that the form begins with.
struct DeskCurrency {
    currency: BidCurrency,
    is_default: bool,
}

/// A currency as forms show it.
pub fn bid_currency(currency: Currency) -> BidCurrency {
    let pieces = currency.definition.denominations.iter().zip(currency.names);
    let name = |(piece, names): (&rules_engine::DenominationDefinition, currencies::DenominationNames)| {
        DenominationName { code: piece.code.clone(), name: names.name, symbol: names.symbol }
    };
    let denominations = pieces.map(name).collect();
    BidCurrency {
        profile_id: Some(currency.definition.id.clone()),
        name: currency.name,
        symbol: currency.symbol,
        definition: currency.definition,
        denominations,
    }
}

fn legacy_currency(price: &LegacyPrice) -> DeskCurrency {
    let currency = BidCurrency {
        profile_id: None,
        name: price.currency.code().to_owned(),
        symbol: price.currency.symbol().to_string(),
        definition: legacy_profile(price),
        denominations: Vec::new(),
    };
    DeskCurrency { is_default: true, currency }
}

/// Whether and how the viewer may bid. The rules are read only where there is a form to judge by them.
async fn bidding(
    conn: &mut Connection,
    auction: &SeenAuction,
    seen: &SeenItem,
    currencies: Vec<DeskCurrency>,
    now: Moment,
) -> Result<Bidding, DbError> {
    if seen.item.status(now) != ItemStatus::Open {
        return Ok(Bidding::NotOpen);
    }
    if seen.onlooker.is_creator {
        return Ok(Bidding::OwnItem);
    }
    if auction.role.is_none() {
        return Ok(Bidding::Join);
    }
    // A legacy auction may have kept rules from before; they judge nothing there.
    let rules =
        if seen.legacy { Vec::new() } else { rules::store::of_auction(conn, auction.auction.id).await? };
    let selected = currencies.iter().position(|currency| currency.is_default).unwrap_or(0);
    let terms = &auction.auction.terms;
    Ok(Bidding::Open(BidDesk {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        currencies: currencies.into_iter().map(|currency| currency.currency).collect(),
        selected,
        base_unit: base_unit(terms.base_unit.as_ref(), seen.legacy_price()),
        terms: seen.effective_terms(),
        rules: rules.into_iter().map(|rule| rule.definition).collect(),
        may_be_anonymous: terms.bidder_visibility == BidderVisibility::PerBid,
        idempotency_key: entropy::new_id(now)?.to_string(),
    }))
}

fn board(
    auction: &SeenAuction,
    seen: &SeenItem,
    currencies: &[DeskCurrency],
    bids: Vec<Bid>,
    now: Moment,
) -> BidBoard {
    let names: Vec<CurrencyNames> = currencies.iter().map(|currency| names(&currency.currency)).collect();
    let rows = bids.into_iter().map(|bid| row(seen, &names, bid, now)).collect();
    BidBoard {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        open: seen.item.status(now) == ItemStatus::Open,
        ends_at: seen.item.ends_at.map(Moment::millis),
        bid_count: u64::try_from(seen.item.last_sequence).unwrap_or(0),
        base_unit: base_unit(auction.auction.terms.base_unit.as_ref(), seen.legacy_price()),
        minimum_bid: seen.effective_terms().min_bid_normalized.map(|minimum| minimum.to_string()),
        viewer_id: Some(auction.viewer.to_string()),
        currencies: names,
        bids: rows,
    }
}

fn names(currency: &BidCurrency) -> CurrencyNames {
    CurrencyNames {
        profile_id: currency.profile_id.clone(),
        name: currency.name.clone(),
        symbol: currency.symbol.clone(),
        denominations: currency.denominations.clone(),
    }
}

fn row(seen: &SeenItem, names: &[CurrencyNames], bid: Bid, now: Moment) -> BidRow {
    let shown = seen.shows_bidder(bid.bidder.id, bid.is_anonymous, bid.sequence, now);
    let profile_id = bid.currency_profile_id.map(|id| id.to_string());
    let currency = names.iter().find(|currency| currency.profile_id == profile_id);
    BidRow {
        sequence: u64::try_from(bid.sequence).unwrap_or(0),
        mine: bid.bidder.id == seen.onlooker.viewer,
        bidder: shown.then_some(bid.bidder.name),
        normalized_amount: bid.normalized.to_string(),
        entered: currency.map(|currency| words(currency, &bid.entered)).unwrap_or_default(),
        placed_at: bid.created_at.millis(),
    }
}

fn words(currency: &CurrencyNames, entered: &BidForm) -> String {
    let counts = entered.entered_representation.iter().flatten();
    let counts = counts.map(|entry: &EnteredCount| (entry.denomination.as_str(), entry.count.as_str()));
    in_words(currency, entered.amount.as_ref().map(|amount| amount.as_str()), counts)
}
