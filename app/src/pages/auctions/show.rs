//! `/auctions/{auction_id}`

use leptos::prelude::*;

use crate::bundles::{Bundle, LoadBundle};
use crate::components::countdown::Countdown;
use crate::components::empty_state::EmptyState;
use crate::components::error_summary::ErrorSummary;
use crate::components::loaded::{loaded, path_part, query_part, services};
use crate::components::money::{plural, unit_word};
use crate::components::page_title::PageTitle;
use crate::components::pagination::{Pagination, page_address};
use crate::components::prose::Prose;
use crate::components::status_badge::AuctionBadge;
use crate::model::{AuctionPage, AuctionStatus, BaseUnit, Catalogue, CurrencySummary};
use crate::pages::auctions::catalogue::CatalogueItems;
use crate::pages::auctions::list::count;
use crate::pages::auctions::next_steps::NextSteps;

#[component]
pub fn ShowAuction() -> impl IntoView {
    let services = services();
    let (now, viewer) = (services.now(), services.viewer());
    let auction_id = path_part("auction_id");
    let cursor = query_part("cursor");
    let requested = cursor.clone();
    let load = async move { services.auction(&auction_id, requested.as_deref()).await };
    let viewer_id = viewer.map(|viewer| viewer.id);
    loaded(load, move |page| view! { <AuctionView page cursor viewer_id now /> })
}

#[component]
fn AuctionView(
    page: AuctionPage,
    cursor: Option<String>,
    viewer_id: Option<String>,
    now: i64,
) -> impl IntoView {
    let AuctionPage { auction, base_unit: unit, items, currencies, can_sell, can_change, join_link } = page;
    let path = format!("/auctions/{}", auction.id);
    let open = auction.status == AuctionStatus::Open;
    let (currencies_page, results) = (format!("{path}/currencies"), format!("{path}/results"));
    let members = auction.my_role.map(|_| format!("{path}/members"));
    let is_new = can_change && open && items.entries.is_empty() && cursor.is_none();
    let next_steps = is_new.then(|| view! { <NextSteps path=path.clone() join_link can_sell /> });
    let settings = can_change.then(|| format!("{path}/settings"));
    let sell = (can_sell && open).then(|| format!("{path}/items/new"));
    let join = (auction.my_role.is_none() && auction.joinable && open).then(|| format!("{path}/join"));
    let none = items.entries.is_empty();
    let state = Catalogue {
        auction_id: auction.id.clone(),
        address: page_address(&path, cursor.as_deref()),
        open,
        viewer_id,
        now,
        items: items.entries,
        is_first: cursor.is_none(),
        is_last: items.next_cursor.is_none(),
    };
    let state = serde_json::to_string(&state).unwrap_or_default();
    view! {
        <PageTitle text=auction.name.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/auctions">"Auctions"</a>
                </p>
                <h1>{auction.name}</h1>
                <p class="facts">
                    <AuctionBadge status=auction.status />
                    <span>{count(auction.item_count, "item", "items")}</span>
                    {auction.ends_at.filter(|_| open).map(|ends_at| view! { <Countdown ends_at now /> })}
                </p>
            </div>
            <p class="actions">
                {members
                    .map(|members| {
                        view! {
                            <a class="button quiet" href=members>
                                "Members"
                            </a>
                        }
                    })}
                <a class="button quiet" href=results>
                    "Results"
                </a>
                {settings
                    .map(|settings| {
                        view! {
                            <a class="button quiet" href=settings>
                                "Settings"
                            </a>
                            <a class="button quiet" href=currencies_page.clone()>
                                "Currencies and rules"
                            </a>
                        }
                    })}
                {sell
                    .clone()
                    .map(|sell| {
                        view! {
                            <a class="button" href=sell>
                                "New item"
                            </a>
                        }
                    })}
            </p>
        </header>
        {join.map(|join| view! { <Join action=join /> })}
        {next_steps}
        <div class="auction-about">
            <Prose text=auction.description />
            <Tariff currencies unit more=currencies_page />
        </div>
        <section aria-labelledby="items">
            <LoadBundle bundle=Bundle::Follow />
            <CatalogueItems state />
            {(none && !is_new).then(|| view! { <NoItems sell /> })}
        </section>
        <Pagination path cursor next=items.next_cursor />
    }
}

#[component]
fn Join(action: String) -> impl IntoView {
    view! {
        <form class="join" method="post" action=action>
            <ErrorSummary />
            <p>"Join to bid. It is free, and the owner sees your name. Your first bid joins, too."</p>
            <button class="button primary" type="submit">
                "Join this auction"
            </button>
        </form>
    }
}

#[component]
fn NoItems(sell: Option<String>) -> impl IntoView {
    let text = if sell.is_some() {
        "Add the first one: a name and a starting price are enough."
    } else {
        "The owner has not published any yet. Come back later."
    };
    view! {
        <EmptyState title="No items yet" text>
            {sell
                .map(|sell| {
                    view! {
                        <a class="button primary" href=sell>
                            "New item"
                        </a>
                    }
                })}
        </EmptyState>
    }
}

/// The currencies of the auction and their values.
#[component]
fn Tariff(currencies: Vec<CurrencySummary>, unit: BaseUnit, more: String) -> impl IntoView {
    let word = plural(&unit_word(&unit));
    let rows = currencies.into_iter().map(move |currency| {
        let values = currency.values.iter().map(|(name, value)| match name.as_str() {
            "" => format!("1 = {value}"),
            name => format!("1\u{a0}{name} = {value}"),
        });
        let values = format!("{} {word}", values.collect::<Vec<_>>().join(" · "));
        view! {
            <div class="tariff-row">
                <dt>
                    {currency.name} " "
                    {(!currency.symbol.is_empty())
                        .then(|| view! { <span class="tariff-symbol">{currency.symbol}</span> })}
                </dt>
                <dd>{values}</dd>
            </div>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="tariff" aria-labelledby="tariff">
                <h2 id="tariff">"Currencies"</h2>
                <dl>{rows}</dl>
                <a class="tariff-more" href=more>
                    "Rules and test bench"
                </a>
            </section>
        }
    })
}
