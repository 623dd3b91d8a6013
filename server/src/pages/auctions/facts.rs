//! Auctions as page data.

use app::components::name::isolated;
use app::model::BaseUnit as PageUnit;
use app::model::{ItemSummary, OutcomeLine};
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::money::{Goal, IsoCode};
use auction_house::auctions::{Auction, BaseUnit, JoinMode};
use auction_house::currencies::Currency;
use auction_house::engine::Normalized;
use auction_house::items::access::ItemView;
use auction_house::items::format::Format;
use auction_house::items::outcomes::ResultKind;
use platform::db::{Connection, DbError};
use platform::time::Moment;

use super::goal::GoalFacts;
use super::show::view::AuctionSummary;
use crate::pages::cache::PageCache;
use crate::pages::error::Loaded;
use crate::pages::items::pictures::picture;
use crate::pages::money::{unit_in_pieces, unit_of_bids};
use crate::pages::money_style::MoneyStyle;
use crate::pages::wire::from_spelling;

/// An auction in a list and at the head of its page.
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

/// The unit in which the totals of an auction are counted: its base unit, or the ordinary money of one
/// without currencies. `None` if each of its items has its own.
pub fn unit_of_totals(auction: &Auction, currencies: &[Currency], style: MoneyStyle) -> Option<PageUnit> {
    if !currencies.is_empty() {
        return Some(unit_in_pieces(auction.terms.base_unit.as_ref(), currencies));
    }
    let IsoCode(iso) = auction.terms.currency?;
    Some(unit_of_bids(None, &[], None, Some(iso), style))
}

/// The goal of an auction and what was bid so far, if it has a goal and a unit to count in.
pub async fn goal(
    db: &mut Connection,
    cache: &PageCache,
    auction: &Auction,
    unit: Option<PageUnit>,
    now: Moment,
) -> Result<Option<GoalFacts>, DbError> {
    let (Some(goal), Some(unit)) = (auction.terms.goal.map(Goal::amount), unit) else { return Ok(None) };
    let iso = auction.terms.currency.filter(|_| unit.zero.is_some()).map(|IsoCode(iso)| iso.code());
    let raised = cache.raised(db, auction, iso, now).await?;
    Ok(raised.map(|raised| GoalFacts {
        permille: permille(raised, goal),
        goal: goal.to_string(),
        raised: raised.to_string(),
        unit,
    }))
}

/// The share in thousandths, at most 1000.
fn permille(part: Normalized, whole: Normalized) -> u16 {
    let share = part.mantissa().checked_mul(1000).and_then(|part| part.checked_div(whole.mantissa()));
    share.and_then(|share| u16::try_from(share).ok()).map_or(1000, |share| share.min(1000))
}

/// An item in a list. `least` is the value of the least first bid, for an item with a minimum.
pub fn item_summary(
    seen: ItemView,
    least: Option<Normalized>,
    (unit, currencies): (Option<&BaseUnit>, &[Currency]),
    style: MoneyStyle,
    now: Moment,
) -> Loaded<ItemSummary> {
    let terms = seen.effective_terms();
    let bid = match &seen.item.outcome {
        Some(outcome) => outcome.sold().map(|sold| (sold.normalized, sold.winner.id, sold.currency_id)),
        None => {
            let highest = seen.item.highest_bid.as_ref();
            highest.map(|bid| (bid.normalized, bid.bidder.id, bid.currency_id))
        }
    };
    let draw = seen.item.terms.format.draw();
    // A prize has no price, and a ticket has the same for all.
    let price = bid.map(|(amount, ..)| amount).filter(|_| draw.is_none());
    let least = draw.map(|draw| draw.ticket.normalized).or(least).filter(|_| seen.item.outcome.is_none());
    let price_in = bid.and_then(|(_, _, currency)| currency);
    let legacy = seen.legacy_price().map(|price| price.currency);
    Ok(ItemSummary {
        id: seen.item.id.to_string(),
        lot_number: seen.item.lot_number.to_string(),
        takes_bids: seen.viewer.role.is_some() && !seen.viewer.is_seller && draw.is_none(),
        watched: seen.watched,
        picture: seen
            .item
            .images
            .first()
            .map(|image| picture(seen.item.auction_id, seen.item.id, image).thumbnail),
        status: from_spelling(seen.item.status(now).as_str())?,
        starts_at: seen.item.terms.starts_at.map(Moment::millis),
        ends_at: seen.item.ends_at.map(Moment::millis),
        outcome: outcome_line(&seen),
        highest_bid: price.map(|amount| amount.to_string()),
        minimum_bid: least.map(|least| least.to_string()),
        own_minimum: terms.min_bid_normalized.map(|minimum| minimum.to_string()),
        bid_count: u64::try_from(seen.item.bid_count()).unwrap_or(0),
        price_in: price_in.map(|id| id.to_string()),
        trend: String::new(),
        base_unit: unit_of_bids(unit, currencies, price_in, legacy, style),
        leading: bid.is_some_and(|(_, leader, _)| leader == seen.viewer.user),
        no_leader: no_leader(&seen, least.is_some()).to_owned(),
        name: seen.item.terms.name,
    })
}

/// What stands before the price of an item that no bid leads, or instead of one. `has_least` if its first bid
/// must reach something.
fn no_leader(seen: &ItemView, has_least: bool) -> &'static str {
    let is_closed = seen.item.outcome.is_some();
    match &seen.item.terms.format {
        Format::Draw(_) if is_closed => "Drawn",
        Format::Draw(_) => "A ticket in the draw",
        Format::Sealed(_) if !is_closed && has_least => "Sealed, from",
        Format::Sealed(_) if !is_closed => "Sealed bids",
        _ if has_least => "From",
        _ => "No bids yet",
    }
}

fn outcome_line(seen: &ItemView) -> Option<OutcomeLine> {
    let outcome = seen.item.outcome.as_ref()?;
    let words = match (outcome.kind(), outcome.sold()) {
        (ResultKind::Sold, sold) => {
            let winner = sold.and_then(|sold| seen.people.in_words(&sold.winner, seen.shows_winner()));
            winner.map_or_else(|| "Sold".to_owned(), |winner| format!("Sold to {}", isolated(&winner)))
        }
        (ResultKind::Unsold, _) => "Not sold".to_owned(),
        (ResultKind::Cancelled, _) => "Taken out of the sale".to_owned(),
    };
    Some(OutcomeLine { words, closed_at: seen.item.closed_at.unwrap_or(outcome.created_at).millis() })
}
