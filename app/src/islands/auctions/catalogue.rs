//! The items of an auction, with live prices, bid counts, statuses and countdowns.

use leptos::either::EitherOf4;
use leptos::prelude::*;

use crate::components::island_state::initial_state;
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{BIDS, NEW_ITEMS, Value, counted};
use crate::components::status_badge::item_badge;
use crate::components::time_left::TimeLeft;
use crate::components::watch::WatchButton;
use crate::islands::items::form_state::{BID, LEAST};
use crate::live::catalogue::LiveCatalogue;
use crate::live::clock;
use crate::live::follow::Freshness;
use crate::model::{BaseUnit, BidCurrency, Catalogue, ItemStatus, ItemSummary};

/// Its state is a [`Catalogue`].
#[island]
pub fn CatalogueItems() -> impl IntoView {
    initial_state().map(|state| view! { <Items state /> })
}

#[component]
fn Items(state: Catalogue) -> impl IntoView {
    let now = clock::running(state.now);
    let path = format!("/auctions/{}/items/", state.auction_id);
    let address = state.address.clone();
    // Without any picture the rows have no place for one.
    let pictured = state.items.iter().any(|item| item.picture.is_some());
    let takes_bids = state.items.iter().any(|item| item.takes_bids);
    let grid = state.grid;
    let can_watch = state.can_watch;
    let currencies = StoredValue::new(state.currencies.clone());
    let LiveCatalogue { items, new, gone, freshness, .. } = LiveCatalogue::new(state);
    let rows = items.into_iter().map(|item| {
        let unit = Signal::derive(move || {
            item.with(|item| BaseUnit {
                written_in: currencies.with_value(|all| written_in(all, item)),
                ..item.base_unit.clone()
            })
        });
        view! { <Row item unit path=path.clone() gone now can_watch pictured /> }
    });
    let message = move || match (freshness.get(), new.with(Vec::len)) {
        (Freshness::Current, 0) => String::new(),
        (Freshness::Current, new) => format!("{} – ", counted(&new.to_string(), NEW_ITEMS)),
        (freshness, _) => freshness.in_words().to_owned(),
    };
    let has_news = move || freshness.get() == Freshness::Current && !new.with(Vec::is_empty);
    view! {
        <div class="section-head">
            <h2 id="items" class="section-title">
                "Items"
            </h2>
            <p class="catalogue-news" role="status">
                {message}
                <a href=address.clone() hidden=move || !has_news()>
                    "show"
                </a>
            </p>
        </div>
        // The button of a row posts to the item, and returns to this page.
        <form method="post">
            <input type="hidden" name="back" value=address />
            <ul
                class="catalogue"
                class:grid=grid
                class:pictured=pictured && !grid
                class:bidding=takes_bids
                role="list"
            >
                {rows.collect_view()}
            </ul>
        </form>
    }
}

/// The currency of the item's price. The one of the highest bid, or the default.
fn written_in(currencies: &[BidCurrency], item: &ItemSummary) -> Option<Box<BidCurrency>> {
    let of_bid = currencies.iter().find(|currency| currency.profile_id == item.price_in);
    of_bid.or(currencies.first()).cloned().map(Box::new)
}

/// Only texts change, in elements that stay: nothing moves, and the bundle stays small.
#[component]
fn Row(
    item: RwSignal<ItemSummary>,
    unit: Signal<BaseUnit>,
    path: String,
    gone: RwSignal<Vec<String>>,
    now: RwSignal<i64>,
    can_watch: bool,
    pictured: bool,
) -> impl IntoView {
    let rendered = item.get_untracked();
    let id = rendered.id.clone();
    let hidden = move || gone.with(|gone| gone.contains(&id));
    let status = move || item.with(|item| item.status);
    let open = move || status() == ItemStatus::Open;
    let bids = move || match item.with(|item| item.bid_count) {
        0 => String::new(),
        count => counted(&count.to_string(), BIDS),
    };
    let lead = move || match (item.with(|item| item.leading), open()) {
        (false, _) => "",
        (true, true) => "You lead",
        (true, false) => "You won",
    };
    let label = move || {
        item.with(|item| match (item.highest_bid.is_some(), &item.no_leader) {
            (true, _) if item.status == ItemStatus::Open => "Highest bid".to_owned(),
            (true, _) => "Hammer price".to_owned(),
            (false, words) => words.clone(),
        })
    };
    let price = Signal::derive(move || item.with(|item| item.price().unwrap_or_default().to_owned()));
    // Two classes with one animation: it restarts when the class changes.
    let class = move || match item.with(|item| (item.bid_count > rendered.bid_count, item.bid_count % 2)) {
        (false, _) => "catalogue-price",
        (true, 0) => "catalogue-price fresh",
        (true, _) => "catalogue-price fresh-again",
    };
    // The name beside it says what it shows. The frame keeps its shape, so that nothing moves.
    let picture = pictured.then(|| {
        let src = move || item.with(|item| item.picture.as_ref().map(|file| file.src.clone()));
        let tint = move || {
            item.with(|item| item.picture.as_ref().map_or_else(|| "none".to_owned(), |file| file.tint.clone()))
        };
        view! {
            <div class="catalogue-frame">
                <span class="catalogue-lot" aria-hidden="true">
                    {rendered.lot_number.clone()}
                </span>
                <svg class="tint" aria-hidden="true">
                    <rect width="100%" height="100%" fill=tint />
                </svg>
                <img class="catalogue-picture" src=src alt="" width="400" height="400" loading="lazy" hidden=move || src().is_none() />
            </div>
        }
    });
    let path = path + &rendered.id;
    let described_by = format!("name-{}", rendered.lot_number);
    let bid = rendered.takes_bids.then(|| {
        let is_over = move || !open() || item.with(|item| item.leading);
        view! {
            <a
                class="button quiet catalogue-bid"
                href=format!("{path}?{BID}={LEAST}")
                aria-describedby=described_by.clone()
                hidden=is_over
            >
                "Bid"
            </a>
        }
    });
    let watch = can_watch.then(
        || view! { <WatchButton path=path.clone() name=rendered.name.clone() watched=rendered.watched /> },
    );
    let end = match rendered.status {
        ItemStatus::Open => EitherOf4::A(rendered.ends_at.map(|initial| {
            let ends_at = Signal::derive(move || item.with(|item| item.ends_at.unwrap_or(initial)));
            view! { <TimeLeft ends_at open=Signal::derive(open) now /> }
        })),
        ItemStatus::Scheduled => EitherOf4::B(rendered.starts_at.map(|starts_at| {
            view! {
                <span hidden=open>
                    "Starts " <time datetime=stamp(starts_at)>{date_and_time(starts_at)}</time>
                </span>
            }
        })),
        ItemStatus::Closed => EitherOf4::C(rendered.outcome.clone().map(|outcome| {
            view! {
                <span class="catalogue-outcome">{outcome.words}</span>
                " "
                <time class="catalogue-label" datetime=stamp(outcome.closed_at)>
                    {date_and_time(outcome.closed_at)}
                </time>
            }
        })),
        ItemStatus::Draft => EitherOf4::D(()),
    };
    view! {
        <li class="catalogue-row" id=format!("lot-{}", rendered.lot_number) hidden=hidden>
            {picture}
            <div class="catalogue-what">
                <h3 id=described_by>
                    <a href=path><bdi>{rendered.name}</bdi></a>
                </h3>
                <p class="catalogue-facts">
                    <span>"Lot " {rendered.lot_number.clone()}</span>
                    // Most items are open: only another status is worth a word.
                    <span class=move || item_badge(status()).0 hidden=open>
                        {move || item_badge(status()).1}
                    </span>
                    <span>{bids}</span>
                    <span class="leading">{lead}</span>
                </p>
            </div>
            <p class=class>
                <span class="catalogue-label">{label}</span>
                <span hidden=move || price.with(String::is_empty)>
                    <Value amount=price unit />
                </span>
                {(!rendered.trend.is_empty())
                    .then(|| {
                        view! {
                            <svg class="trend" viewBox="0 0 40 12" aria-hidden="true">
                                <polyline points=rendered.trend />
                            </svg>
                        }
                    })}
            </p>
            <p class="catalogue-end">{end}</p>
            {bid}
            {watch}
        </li>
    }
}
