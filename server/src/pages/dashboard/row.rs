//! An item of the viewer in a list.

use app::bundles::{Bundle, LoadBundle};
use app::components::countdown::Countdown;
use app::components::moment::{date_and_time, stamp};
use app::components::money::{BIDS, StaticValue, counted};
use app::components::name::Name;
use app::components::status_badge::ItemBadge;
use app::components::thumbnail::Thumbnail;
use app::model::{ItemStatus, ItemSummary};
use auction_house::bids::own::Position;
use leptos::either::Either;
use leptos::prelude::*;

use super::own_items::{Dues, OwnBidEntry, OwnItemEntry};

/// Characters of an amount on a button that fits beside the name on a phone.
const SHORT_CHARS: usize = 12;

/// The items, in order. Nothing if there are none. `list` is unique on the page.
#[component]
pub fn OwnItemRows(list: &'static str, items: Vec<OwnItemEntry>, now: i64) -> impl IntoView {
    let rows = items.into_iter().map(|item| view! { <Row list item now /> });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| view! { <ul class="own-items" role="list">{rows}</ul> })
}

#[component]
fn Row(list: &'static str, item: OwnItemEntry, now: i64) -> impl IntoView {
    let OwnItemEntry { auction_id, auction_name, item, bid } = item;
    let auction = format!("/auctions/{auction_id}");
    let path = format!("{auction}/items/{}", item.id);
    let badge = (item.status != ItemStatus::Open && item.outcome.is_none())
        .then(|| view! { <ItemBadge status=item.status /> });
    let bids =
        (item.bid_count > 0).then(|| view! { <span>{counted(&item.bid_count.to_string(), BIDS)}</span> });
    // Ids of the texts that a refresh compares.
    let id = |part: &str| format!("{list}-{}-{part}", item.id);
    let end = end(&item, id("end"), now);
    let is_long = |words: &str| words.chars().count() > SHORT_CHARS;
    let has_long_button =
        bid.as_ref().and_then(|bid| bid.least.as_ref()).is_some_and(|it| is_long(&it.words));
    let edge = match bid.as_ref().map(|bid| bid.position) {
        Some(Position::Leading | Position::Won) => "own-row ahead",
        Some(Position::Outbid) => "own-row behind",
        Some(Position::Standing | Position::Lost) | None => "own-row",
    };
    let least = bid.as_ref().and_then(|bid| bid.least.clone()).map(|least| match least.exceeds {
        Some(available) => Either::Left(view! {
            <p class="own-do hint">
                {format!("The least bid is {}. You have {available} available.", least.words)}
            </p>
        }),
        None => {
            let label = format!("Bid {} on {}", least.words, item.name);
            Either::Right(view! {
                <p class="own-do">
                    <a class="button primary" href=least.address aria-label=label>
                        "Bid " <span class="own-least">{least.words}</span>
                    </a>
                </p>
            })
        }
    });
    let (position, entered, dues) = match bid {
        Some(OwnBidEntry { position, entered, dues, .. }) => (Some(position), entered, dues),
        None => (None, String::new(), None),
    };
    let is_behind = position == Some(Position::Outbid);
    // The words before the price say what it is.
    let is_said = is_behind || position == Some(Position::Won);
    let position = position.map(|position| view! { <PositionWords id=id("position") position /> });
    let dues = dues.map(|dues| view! { <OwnDues dues /> });
    let entered = (!entered.is_empty() && (is_behind || dues.is_none())).then(
        || view! { <span class="own-entered">{format!("Your bid: {entered}")} {is_behind.then_some(" →")}</span> },
    );
    let label = match item.highest_bid.is_some() {
        true if item.status == ItemStatus::Closed => "Hammer price".to_owned(),
        true => "Highest bid".to_owned(),
        false => item.no_leader.clone(),
    };
    let price = item.price().map(str::to_owned);
    let price = price.map(|amount| view! { <StaticValue amount unit=item.base_unit.clone() /> });
    view! {
        <li class=edge class:long=has_long_button>
            <Thumbnail file=item.picture lot=Some(item.lot_number.clone()) />
            <div class="own-what">
                <h3>
                    <a href=path><Name text=item.name /></a>
                </h3>
                <p class="own-facts">
                    <span>
                        "Lot " {item.lot_number} " · "
                        <a href=auction><Name text=auction_name /></a>
                    </span>
                    {badge} {bids}
                </p>
            </div>
            <p class="own-money">
                {position} " " {entered} " "
                <span class="live" id=id("price")>
                    <span class=if is_said { "visually-hidden" } else { "own-label" }>{label}</span> " "
                    {price}
                </span> " " {dues}
            </p>
            <p class="own-end">{end}</p>
            {least}
        </li>
    }
}

/// Where the viewer stands. The edge of the row says it in colour.
#[component]
fn PositionWords(id: String, position: Position) -> impl IntoView {
    let (class, words) = match position {
        Position::Leading => ("leading live", "You lead"),
        Position::Outbid => ("own-outbid live", "You were outbid"),
        Position::Won => ("leading live", "You won"),
        Position::Standing => ("own-sealed live", "Your bid stands"),
        Position::Lost => ("own-lost live", "You did not win"),
    };
    view! { <span class=class id=id>{words}</span> }
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
