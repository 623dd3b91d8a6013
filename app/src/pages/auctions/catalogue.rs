//! The items of an auction with what changes while one looks: price, bids, state and time left.

use leptos::prelude::*;

use crate::components::countdown::TimeLeft;
use crate::components::money::{Worth, counted};
use crate::components::status_badge::item_badge;
use crate::live::catalogue::LiveCatalogue;
use crate::live::clock;
use crate::model::{Catalogue, ItemStatus, ItemSummary};

/// `state` is a [`Catalogue`] as JSON, as that of the item's page.
#[island]
pub fn CatalogueItems(state: String) -> impl IntoView {
    let state = serde_json::from_str::<Catalogue>(&state).ok();
    state.map(|state| view! { <Items state /> })
}

#[component]
fn Items(state: Catalogue) -> impl IntoView {
    let now = clock::running(state.now);
    let path = format!("/auctions/{}/items/", state.auction_id);
    let again = state.address.clone();
    let LiveCatalogue { items, new, unsure, .. } = LiveCatalogue::new(state);
    let rows = items.into_iter().map(|item| view! { <Row item path=path.clone() now /> });
    let news = move || match (unsure.get(), new.with(Vec::len)) {
        (true, _) => "Not up to date: the server does not answer. Trying again.".to_owned(),
        (false, 0) => String::new(),
        (false, new) => format!("{} – ", counted(&new.to_string(), "new item")),
    };
    view! {
        <div class="section-head">
            <h2 id="items" class="section-title">
                "Items"
            </h2>
            <p class="catalogue-news" role="status">
                {news}
                <a href=again hidden=move || unsure.get() || new.with(Vec::is_empty)>
                    "show"
                </a>
            </p>
        </div>
        <ul class="catalogue" role="list">
            {rows.collect_view()}
        </ul>
    }
}

/// What changes is text in places that stay: nothing moves, and the bundle is small.
#[component]
fn Row(item: RwSignal<ItemSummary>, path: String, now: RwSignal<i64>) -> impl IntoView {
    let drawn = item.get_untracked();
    let status = move || item.with(|item| item.status);
    let open = move || status() == ItemStatus::Open;
    let bids = move || match item.with(|item| item.bid_count) {
        0 => String::new(),
        count => counted(&count.to_string(), "bid"),
    };
    let lead = move || match (item.with(|item| item.leading), open()) {
        (false, _) => "",
        (true, true) => "You lead",
        (true, false) => "You won",
    };
    let label = move || match item.with(|item| (item.highest_bid.is_some(), item.minimum_bid.is_some())) {
        (true, _) if open() => "Highest bid",
        (true, _) => "Hammer price",
        (false, true) => "From",
        (false, false) => "No bids yet",
    };
    let price = Signal::derive(move || item.with(|item| item.price().unwrap_or_default().to_owned()));
    // Two names for one highlight: it begins anew when the name changes.
    let class = move || match item.with(|item| (item.bid_count > drawn.bid_count, item.bid_count % 2)) {
        (false, _) => "catalogue-price",
        (true, 0) => "catalogue-price fresh",
        (true, _) => "catalogue-price fresh-again",
    };
    let end = drawn.ends_at.filter(|_| drawn.status == ItemStatus::Open);
    let end = end.map(|drawn| {
        let ends_at = Signal::derive(move || item.with(|item| item.ends_at.unwrap_or(drawn)));
        view! { <TimeLeft ends_at open=Signal::derive(open) now /> }
    });
    view! {
        <li class="catalogue-row">
            <div class="catalogue-what">
                <h3>
                    <a href=path + &drawn.id>{drawn.name}</a>
                </h3>
                <p class="catalogue-facts">
                    <span class=move || item_badge(status()).0>{move || item_badge(status()).1}</span>
                    <span>{bids}</span>
                    <span class="leading">{lead}</span>
                </p>
            </div>
            <p class=class>
                <span class="catalogue-label">{label}</span>
                <span hidden=move || price.with(String::is_empty)>
                    <Worth amount=price unit=drawn.base_unit />
                </span>
            </p>
            <p class="catalogue-end">{end}</p>
        </li>
    }
}
