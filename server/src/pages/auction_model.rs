//! Auctions as page data.

use app::components::name::isolated;
use app::model::{
    AuctionPage, AuctionSummary, CatalogueQuery, CurrencySummary, ItemSummary, Listing, OutcomeLine,
    PageFunds,
};
use app::services::Loaded;
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::{BaseUnit, JoinMode};
use auction_house::currencies::Currency;
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use auction_house::items::list::{ItemQuery, ItemSort, Place};
use auction_house::items::outcomes::ResultKind;
use platform::paging::{Page, Paged};
use platform::time::Moment;

use super::members_model::link_url;
use super::money_model::{base_unit, unit_of_bids, values};
use super::money_style::MoneyStyle;
use super::pictures::picture;
use super::presentation::Presentation;
use super::wire::from_spelling;

pub fn summary(seen: AuctionView, now: Moment) -> Loaded<AuctionSummary> {
    let status = from_spelling(seen.auction.status(now).as_str())?;
    let my_role = seen.role.map(|role| from_spelling(role.as_str())).transpose()?;
    let terms = seen.auction.terms;
    Ok(AuctionSummary {
        id: seen.auction.id.to_string(),
        name: terms.name,
        description: terms.description,
        status,
        item_count: u64::try_from(seen.auction.published_items).unwrap_or(0),
        ends_at: terms.end_date.map(Moment::millis),
        my_role,
        joinable: terms.join_mode == JoinMode::Free,
    })
}

/// The items that a catalogue shows. What the address says wrongly is ignored.
pub fn item_query(query: &CatalogueQuery) -> ItemQuery {
    let mut wanted = ItemQuery::first();
    wanted.sort = ItemSort::named(&query.sort).unwrap_or_default();
    wanted.filter.text = query.text.as_ref().and_then(|text| text.parse().ok());
    wanted.filter.status = query.status.as_ref().and_then(|status| ItemStatus::named(status));
    wanted.filter.watched = query.watched;
    let after = query.cursor.as_deref().and_then(|cursor| cursor.parse().ok());
    wanted.page = Page::after(after.filter(|after: &Place| after.sort == wanted.sort));
    wanted
}

pub fn page(
    seen: AuctionView,
    items: Paged<ItemView>,
    currencies: Vec<Currency>,
    position: i64,
    funds: Option<PageFunds>,
    site: &str,
    Presentation { description, style, now }: Presentation,
) -> Loaded<AuctionPage> {
    let can_sell = seen.may(Action::AddItems) && !seen.auction.has_ended(now);
    let unit = seen.auction.terms.base_unit.clone();
    let entries = items.entries.into_iter().map(|item| item_summary(item, unit.as_ref(), style, now));
    Ok(AuctionPage {
        description,
        items: Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: items.next_cursor },
        base_unit: base_unit(unit.as_ref()),
        currencies: currencies.into_iter().map(currency_summary).collect(),
        can_sell,
        can_change: seen.may(Action::ChangeAuction),
        can_watch: seen.may(Action::WatchItems),
        funds,
        position,
        join_link: link_url(&seen, site),
        auction: summary(seen, now)?,
    })
}

pub(super) fn item_summary(
    seen: ItemView,
    unit: Option<&BaseUnit>,
    style: MoneyStyle,
    now: Moment,
) -> Loaded<ItemSummary> {
    let terms = seen.effective_terms();
    let (highest_bid, leader) = match &seen.item.outcome {
        Some(outcome) => outcome.sold().map(|sold| (sold.normalized, sold.winner.id)).unzip(),
        None => seen.item.highest_bid.as_ref().map(|bid| (bid.normalized, bid.bidder.id)).unzip(),
    };
    Ok(ItemSummary {
        id: seen.item.id.to_string(),
        lot_number: seen.item.lot_number,
        watched: seen.watched,
        picture: seen
            .item
            .images
            .first()
            .map(|image| picture(seen.item.auction_id, seen.item.id, image).thumbnail),
        status: from_spelling(seen.item.status(now).as_str())?,
        starts_at: seen.item.terms.starts_at.map(Moment::millis),
        ends_at: seen.item.ends_at.map(Moment::millis),
        outcome: outcome_line(&seen, now),
        highest_bid: highest_bid.map(|amount| amount.to_string()),
        minimum_bid: terms.min_bid_normalized.map(|minimum| minimum.to_string()),
        bid_count: u64::try_from(seen.item.bid_count()).unwrap_or(0),
        base_unit: unit_of_bids(unit, seen.legacy_price().map(|price| price.currency), style),
        leading: leader == Some(seen.viewer.user),
        name: seen.item.terms.name,
    })
}

fn outcome_line(seen: &ItemView, now: Moment) -> Option<OutcomeLine> {
    let outcome = seen.item.outcome.as_ref()?;
    let words = match (outcome.kind(), outcome.sold()) {
        (ResultKind::Sold, Some(sold)) if seen.shows_winner(now) => {
            format!("Sold to {}", isolated(&sold.winner.name))
        }
        (ResultKind::Sold, _) => "Sold".to_owned(),
        (ResultKind::Unsold, _) => "Not sold".to_owned(),
        (ResultKind::Cancelled, _) => "Taken out of the sale".to_owned(),
    };
    Some(OutcomeLine { words, closed_at: seen.item.closed_at.unwrap_or(outcome.created_at).millis() })
}

fn currency_summary(currency: Currency) -> CurrencySummary {
    CurrencySummary { values: values(&currency), name: currency.name, symbol: currency.symbol }
}
