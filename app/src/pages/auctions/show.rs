//! `/auctions/{auction_id}`

use leptos::either::{Either, EitherOf3};
use leptos::prelude::*;

use crate::components::countdown::Countdown;
use crate::components::empty_state::EmptyState;
use crate::components::error_summary::ErrorSummary;
use crate::components::loaded::{loaded, path_part, query_part, services};
use crate::components::money::{Worth, plural, unit_word};
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::components::prose::Prose;
use crate::components::status_badge::{AuctionBadge, ItemBadge};
use crate::model::{AuctionPage, AuctionStatus, BaseUnit, CurrencySummary, ItemStatus, ItemSummary, Role};
use crate::pages::auctions::list::count;

#[component]
pub fn ShowAuction() -> impl IntoView {
    let services = services();
    let now = services.now();
    let auction_id = path_part("auction_id");
    let cursor = query_part("cursor");
    let asked = cursor.clone();
    let load = async move { services.auction(&auction_id, asked.as_deref()).await };
    loaded(load, move |page| view! { <Catalogue page cursor now /> })
}

#[component]
fn Catalogue(page: AuctionPage, cursor: Option<String>, now: i64) -> impl IntoView {
    let AuctionPage { auction, base_unit: unit, items, currencies, can_sell } = page;
    let path = format!("/auctions/{}", auction.id);
    let open = auction.status == AuctionStatus::Open;
    let currencies_page = format!("{path}/currencies");
    let manages = matches!(auction.my_role, Some(Role::Owner | Role::Admin));
    let sell = (can_sell && open).then(|| format!("{path}/items/new"));
    let join = (auction.my_role.is_none() && auction.joinable && open).then(|| format!("{path}/join"));
    let list = if items.entries.is_empty() {
        Either::Left(view! { <NoItems sell=sell.clone() /> })
    } else {
        let base = path.clone();
        let rows = items.entries.into_iter().map(move |item| view! { <Row item path=base.clone() now /> });
        Either::Right(view! { <ul class="catalogue" role="list">{rows.collect::<Vec<_>>()}</ul> })
    };
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
                {manages
                    .then(|| {
                        view! {
                            <a class="button quiet" href=currencies_page.clone()>
                                "Currencies and rules"
                            </a>
                        }
                    })}
                {sell
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
        <div class="auction-about">
            <Prose text=auction.description />
            <Tariff currencies unit more=currencies_page />
        </div>
        <section aria-labelledby="items">
            <h2 id="items" class="section-title">
                "Items"
            </h2>
            {list}
        </section>
        <Pagination path cursor next=items.next_cursor />
    }
}

#[component]
fn Join(action: String) -> impl IntoView {
    view! {
        <form class="join" method="post" action=action>
            <ErrorSummary />
            <p>"You are looking in from the door. Join to bid: it costs nothing and the owner sees that you are in."</p>
            <button class="button primary" type="submit">
                "Join this auction"
            </button>
        </form>
    }
}

#[component]
fn NoItems(sell: Option<String>) -> impl IntoView {
    let text = if sell.is_some() {
        "Add the first: a name and a starting price are enough."
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

/// What the auction is paid in, and what each currency is worth.
#[component]
fn Tariff(currencies: Vec<CurrencySummary>, unit: BaseUnit, more: String) -> impl IntoView {
    let word = plural(&unit_word(&unit));
    let rows = currencies.into_iter().map(move |currency| {
        let worths = currency.pieces.iter().map(|(name, worth)| match name.as_str() {
            "" => format!("1 = {worth}"),
            name => format!("1\u{a0}{name} = {worth}"),
        });
        let worths = format!("{} {word}", worths.collect::<Vec<_>>().join(" · "));
        view! {
            <div class="tariff-row">
                <dt>
                    {currency.name} " "
                    {(!currency.symbol.is_empty())
                        .then(|| view! { <span class="tariff-symbol">{currency.symbol}</span> })}
                </dt>
                <dd>{worths}</dd>
            </div>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="tariff" aria-labelledby="tariff">
                <h2 id="tariff">"Paid in"</h2>
                <dl>{rows}</dl>
                <a class="tariff-more" href=more>
                    "Rules, and a bench to try a bid on"
                </a>
            </section>
        }
    })
}

#[component]
fn Row(item: ItemSummary, path: String, now: i64) -> impl IntoView {
    let open = item.status == ItemStatus::Open;
    let price = match (item.highest_bid, item.minimum_bid) {
        (Some(highest), _) => {
            let label = if open { "Highest bid" } else { "Hammer price" };
            EitherOf3::A(view! {
                <span class="catalogue-label">{label}</span>
                <Worth amount=highest unit=item.base_unit />
            })
        }
        (None, Some(minimum)) => EitherOf3::B(view! {
            <span class="catalogue-label">"From"</span>
            <Worth amount=minimum unit=item.base_unit />
        }),
        (None, None) => EitherOf3::C(view! { <span class="catalogue-label">"No bids yet"</span> }),
    };
    let leading = (item.leading).then_some(if open { "You lead" } else { "You won" });
    view! {
        <li class="catalogue-row">
            <div class="catalogue-what">
                <h3>
                    <a href=format!("{path}/items/{}", item.id)>{item.name}</a>
                </h3>
                <p class="catalogue-facts">
                    <ItemBadge status=item.status />
                    {(item.bid_count > 0).then(|| view! { <span>{count(item.bid_count, "bid", "bids")}</span> })}
                    {leading.map(|leading| view! { <span class="leading">{leading}</span> })}
                </p>
            </div>
            <p class="catalogue-price">{price}</p>
            <p class="catalogue-end">
                {item.ends_at.filter(|_| open).map(|ends_at| view! { <Countdown ends_at now /> })}
            </p>
        </li>
    }
}
