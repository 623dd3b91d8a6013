//! Bids as rows of lists and charts.

use app::components::by_clerk::by_clerk as by_clerk_in_words;
use app::components::withdrawal::withdrawn;
use app::model::{BaseUnit, BidRow, CurrencyNames};
use auction_house::bids::{Bid, KnownPeople, StandingPrice};
use auction_house::items::access::ItemView;

use super::bid_words::entered_in_words;

/// An earlier bid, for the chart.
pub fn price_row(price: &StandingPrice) -> BidRow {
    BidRow {
        sequence: u64::try_from(price.sequence).unwrap_or(0),
        bidder: None,
        mine: false,
        normalized_amount: price.normalized.to_string(),
        entered: String::new(),
        placed_at: price.placed_at.millis(),
        withdrawn: None,
        by_clerk: None,
    }
}

/// A bid in a list.
pub fn row(
    seen: &ItemView,
    names: &[CurrencyNames],
    unit: &BaseUnit,
    bid: &Bid,
    known: KnownPeople,
) -> BidRow {
    let profile_id = bid.currency_profile_id.map(|id| id.to_string());
    let currency = names.iter().find(|currency| currency.profile_id == profile_id);
    BidRow {
        sequence: u64::try_from(bid.sequence).unwrap_or(0),
        mine: bid.bidder.id == seen.viewer.user,
        bidder: seen.people.in_words(&bid.bidder, known.bidder),
        normalized_amount: bid.normalized.into(),
        entered: currency.map(|currency| entered_in_words(currency, unit, &bid.entered)).unwrap_or_default(),
        placed_at: bid.created_at.millis(),
        withdrawn: bid.withdrawn.as_ref().map(|withdrawal| {
            let note = withdrawal.shown_note(known.bidder, seen.people.is_to_outsiders());
            withdrawn(withdrawal.by.as_str(), withdrawal.reason.as_str(), note)
        }),
        by_clerk: bid.by_clerk.as_ref().and_then(|by_clerk| {
            let clerk = seen.people.in_words(&by_clerk.clerk, true).filter(|_| known.clerk);
            let codes: Vec<&str> = by_clerk.overridden.iter().map(|code| code.as_str()).collect();
            by_clerk_in_words(clerk.as_deref(), &codes)
        }),
    }
}
