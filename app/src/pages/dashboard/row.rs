//! An item of the viewer in a list.

use leptos::either::Either;
use leptos::prelude::*;

use crate::bundles::{Bundle, LoadBundle};
use crate::components::countdown::Countdown;
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{BIDS, StaticValue, counted};
use crate::components::name::Name;
use crate::components::status_badge::ItemBadge;
use crate::model::{Dues, ItemStatus, ItemSummary, OwnBid, OwnItem, Position};

/// The items, in order. Nothing if there are none. `list` is unique on the page.
#[component]
pub fn OwnItems(list: &'static str, items: Vec<OwnItem>, now: i64) -> impl IntoView {
    let rows = items.into_iter().map(|item| view! { <Row list item now /> });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| view! { <ul class="catalogue" role="list">{rows}</ul> })
}

#[component]
fn Row(list: &'static str, item: OwnItem, now: i64) -> impl IntoView {
    let OwnItem { auction_id, auction_name, item, bid } = item;
    let auction = format!("/auctions/{auction_id}");
    let path = format!("{auction}/items/{}", item.id);
    let badge = (item.status != ItemStatus::Open && item.outcome.is_none())
        .then(|| view! { <ItemBadge status=item.status /> });
    let bids =
        (item.bid_count > 0).then(|| view! { <span>{counted(&item.bid_count.to_string(), BIDS)}</span> });
    // Ids of the texts that a refresh compares.
    let id = |part: &str| format!("{list}-{}-{part}", item.id);
    let end = end(&item, id("end"), now);
    let least = bid.as_ref().and_then(|bid| bid.least.clone()).map(|least| match least.exceeds {
        Some(available) => Either::Left(view! {
            <p class="hint">
                {format!("The least bid is {}. You have {available} available.", least.words)}
            </p>
        }),
        None => {
            let label = format!("Bid {} on {}", least.words, item.name);
            Either::Right(view! {
                <p class="own-least">
                    <a class="button primary" href=least.address aria-label=label>
                        {format!("Bid {}", least.words)}
                    </a>
                </p>
            })
        }
    });
    let position = bid.map(|bid| view! { <BidFacts id=id("position") bid /> });
    let label = match (item.highest_bid.is_some(), item.minimum_bid.is_some()) {
        (true, _) if item.status == ItemStatus::Closed => "Hammer price",
        (true, _) => "Highest bid",
        (false, true) => "From",
        (false, false) => "No bids yet",
    };
    let price = item.price().map(str::to_owned);
    let price = price.map(|amount| view! { <StaticValue amount unit=item.base_unit.clone() /> });
    view! {
        <li class="catalogue-row">
            <div class="catalogue-what">
                <h3>
                    <a href=path><Name text=item.name /></a>
                </h3>
                <p class="catalogue-facts">
                    <span>
                        "Lot " {item.lot_number} " · "
                        <a href=auction><Name text=auction_name /></a>
                    </span>
                    {badge} {bids}
                </p>
                {position}
                {least}
            </div>
            <p class="catalogue-price">
                <span class="catalogue-label">{label}</span>
                {price}
            </p>
            <p class="catalogue-end">{end}</p>
        </li>
    }
}

/// The viewer's bid and what has become of it.
#[component]
fn BidFacts(id: String, bid: OwnBid) -> impl IntoView {
    let (class, words) = match bid.position {
        Position::Leading => ("leading live", "You lead"),
        Position::Outbid => ("own-outbid live", "You were outbid"),
        Position::Won => ("leading live", "You won"),
        Position::Lost => ("own-lost live", "You did not win"),
    };
    let entered = (!bid.entered.is_empty()).then(|| format!("Your bid: {}", bid.entered));
    view! {
        <p class="catalogue-facts">
            <span class=class id=id>{words}</span>
            {entered.map(|entered| view! { <span>{entered}</span> })}
            {bid.dues.map(|dues| view! { <OwnDues dues /> })}
        </p>
    }
}

#[component]
fn OwnDues(dues: Dues) -> impl IntoView {
    let words = |done: bool, is: &'static str, is_not: &'static str| {
        if done { (is, "") } else { (is_not, "own-due") }
    };
    let marks = [words(dues.is_paid, "Paid", "To pay"), words(dues.is_collected, "Collected", "To collect")];
    marks.map(|(words, class)| view! { <span class=class>{words}</span> }).collect_view()
}

/// When the item ends, ended or starts.
fn end(item: &ItemSummary, id: String, now: i64) -> impl IntoView + use<> {
    if item.status == ItemStatus::Open {
        return Either::Left(item.ends_at.map(|ends_at| {
            view! {
                <LoadBundle bundle=Bundle::Follow />
                <Countdown ends_at now />
            }
        }));
    }
    let outcome = item.outcome.as_ref().map(|outcome| (outcome.words.clone(), outcome.closed_at));
    let start = item.starts_at.filter(|_| item.status == ItemStatus::Scheduled);
    Either::Right(outcome.or_else(|| Some(("Starts".to_owned(), start?))).map(|(label, at)| {
        view! {
            <span class="catalogue-label live" id=id>{label}</span>
            <time datetime=stamp(at)>{date_and_time(at)}</time>
        }
    }))
}
