//! The items of an auction, with live prices, bid counts, statuses and countdowns.

use leptos::either::EitherOf4;
use leptos::prelude::*;

#[cfg(not(feature = "ssr"))]
use crate::components::island_state::initial_state;
#[cfg(feature = "ssr")]
use crate::components::island_state::state_with_json;
#[cfg(feature = "ssr")]
use crate::components::moment::time_left_since;
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{BIDS, NEW_ITEMS, Value, counted};
use crate::components::status_badge::item_badge;
use crate::components::time_left::TimeLeft;
use crate::components::watch::WatchButton;
#[cfg(feature = "ssr")]
use crate::fragments::{Fragment, WithJson, fragment};
use crate::islands::items::form_state::{BID, LEAST};
use crate::live::catalogue::LiveCatalogue;
#[cfg(not(feature = "ssr"))]
use crate::live::clock;
use crate::live::follow::Freshness;
use crate::model::{BaseUnit, BidCurrency, Catalogue, ItemStatus, ItemSummary};
#[cfg(feature = "ssr")]
use crate::request::request;

/// Its state is a [`Catalogue`].
#[island]
pub fn CatalogueItems() -> impl IntoView {
    shown()
}

#[cfg(not(feature = "ssr"))]
fn shown() -> impl IntoView {
    initial_state().map(|state: Catalogue| {
        let times = state.now;
        view! { <Items state times /> }
    })
}

/// The same, perhaps rendered before.
#[cfg(feature = "ssr")]
fn shown() -> impl IntoView {
    let now = request().now;
    state_with_json().map(|state: WithJson<Catalogue>| {
        let times = state.value.items.iter().map(|item| shown_since(item, now)).collect();
        fragment(ItemsFacts { state, times })
    })
}

/// All that the list shows.
#[cfg(feature = "ssr")]
#[derive(serde::Serialize)]
struct ItemsFacts {
    state: WithJson<Catalogue>,
    times: Times,
}

#[cfg(feature = "ssr")]
impl Fragment for ItemsFacts {
    fn view(self) -> impl IntoView {
        view! { <Items state=self.state.value times=self.times /> }
    }
}

/// The server's clock when the page was rendered.
#[cfg(not(feature = "ssr"))]
type Times = i64;
/// The same for each item, as it shows it.
#[cfg(feature = "ssr")]
type Times = Vec<i64>;

/// Since when the item shows the time left as it does now.
#[cfg(feature = "ssr")]
fn shown_since(item: &ItemSummary, now: i64) -> i64 {
    let end = item.ends_at.filter(|_| item.status == ItemStatus::Open);
    end.map_or(0, |end| time_left_since(end, now))
}

#[component]
fn Items(state: Catalogue, times: Times) -> impl IntoView {
    let address = state.address.clone();
    // Without any picture the rows have no place for one.
    let pictured = state.items.iter().any(|item| item.picture.is_some());
    let grid = state.grid;
    let takes_bids = state.items.iter().any(|item| item.takes_bids);
    let list =
        List { path: format!("/auctions/{}/items/", state.auction_id), can_watch: state.can_watch, pictured };
    #[cfg(feature = "ssr")]
    let (rows, state) = rows(state, &list, times);
    #[cfg(not(feature = "ssr"))]
    let currencies = state.currencies.clone();
    let live = LiveCatalogue::new(state);
    #[cfg(not(feature = "ssr"))]
    let rows = rows(live.items, currencies, &list, live.gone, clock::running(times));
    let (new, freshness) = (live.new, live.freshness);
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
                {rows}
            </ul>
        </form>
    }
}

/// What all rows of a list have in common.
#[derive(Clone)]
#[cfg_attr(feature = "ssr", derive(serde::Serialize))]
struct List {
    /// Path of the pages of the items, before their ids.
    path: String,
    can_watch: bool,
    pictured: bool,
}

#[cfg(not(feature = "ssr"))]
fn rows(
    items: Vec<RwSignal<ItemSummary>>,
    currencies: Vec<BidCurrency>,
    list: &List,
    gone: RwSignal<Vec<String>>,
    now: RwSignal<i64>,
) -> impl IntoView + use<> {
    let currencies = StoredValue::new(currencies);
    let row = |item: RwSignal<ItemSummary>| {
        let unit = Signal::derive(move || {
            item.with(|item| {
                let currency = currencies.with_value(|all| of_price(all, item, |each| each).cloned());
                unit(item, currency)
            })
        });
        let id = item.with_untracked(|item| item.id.clone());
        let hidden = Signal::derive(move || gone.with(|gone| gone.contains(&id)));
        view! { <Row item unit list=list.clone() hidden now /> }
    };
    items.into_iter().map(row).collect_view()
}

/// The same, perhaps rendered before. Returns the state without its items.
#[cfg(feature = "ssr")]
fn rows(mut state: Catalogue, list: &List, times: Times) -> (impl IntoView + use<>, Catalogue) {
    let items = std::mem::take(&mut state.items);
    let currencies = Vec::from_iter(state.currencies.iter().cloned().map(WithJson::new));
    let row = |(item, now): (ItemSummary, i64)| {
        let currency = of_price(&currencies, &item, |each| &each.value).cloned();
        fragment(CatalogueRowFacts { item, currency, list: list.clone(), now })
    };
    (items.into_iter().zip(times).map(row).collect_view(), state)
}

/// All that a row shows.
#[cfg(feature = "ssr")]
#[derive(serde::Serialize)]
struct CatalogueRowFacts {
    item: ItemSummary,
    /// The currency of its price.
    currency: Option<WithJson<BidCurrency>>,
    list: List,
    now: i64,
}

#[cfg(feature = "ssr")]
impl Fragment for CatalogueRowFacts {
    fn view(self) -> impl IntoView {
        let Self { item, currency, list, now } = self;
        let unit = Signal::stored(unit(&item, currency.map(|currency| currency.value)));
        view! { <Row item=RwSignal::new(item) unit list hidden=Signal::stored(false) now=Signal::stored(now) /> }
    }
}

/// The unit of the item's price, written in this currency.
fn unit(item: &ItemSummary, currency: Option<BidCurrency>) -> BaseUnit {
    BaseUnit { written_in: currency.map(Box::new), ..item.base_unit.clone() }
}

/// The currency of the item's price: that of the highest bid, or the default.
fn of_price<'a, C>(currencies: &'a [C], item: &ItemSummary, value: fn(&C) -> &BidCurrency) -> Option<&'a C> {
    let of_bid = currencies.iter().find(|each| value(each).profile_id == item.price_in);
    of_bid.or(currencies.first())
}

/// Only texts change, in elements that stay: nothing moves, and the bundle stays small.
#[component]
fn Row(
    item: RwSignal<ItemSummary>,
    unit: Signal<BaseUnit>,
    list: List,
    /// The item was deleted or hidden after the page was rendered.
    hidden: Signal<bool>,
    #[prop(into)] now: Signal<i64>,
) -> impl IntoView {
    let List { path, can_watch, pictured } = list;
    let rendered = item.get_untracked();
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
            view! { <TimeLeft ends_at open now /> }
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
