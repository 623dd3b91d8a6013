//! `/dashboard`

use leptos::either::Either;
use leptos::prelude::*;

use super::lists::{BIDS, ITEMS, WATCHED};
use super::row::OwnItems;
use super::tiles::Tiles;
use crate::bundles::{Bundle, LoadBundle};
use crate::components::countdown::Countdown;
use crate::components::empty_state::EmptyState;
use crate::components::live_news::LiveNews;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::words::count;
use crate::html::{Html, html};
use crate::live::follow::Freshness;
use crate::model::{AuctionEntry, BookEntry, DashboardPage, Position, Section};
use crate::pages::books::FundsList;
use crate::request::request;

pub fn dashboard_page(page: DashboardPage) -> Html {
    let now = request().now;
    let content = if page.is_empty() {
        Either::Left(view! { <Nothing /> })
    } else {
        Either::Right(view! { <Sections page now /> })
    };
    html(view! {
        <PageTitle text="Dashboard" />
        <header class="page-head">
            <div>
                <h1>"Dashboard"</h1>
            </div>
            <p class="actions">
                <a class="button quiet" href="/auctions">
                    "Auctions"
                </a>
                <a class="button quiet" href=BIDS>
                    "All my bids"
                </a>
            </p>
        </header>
        <LiveNews class="hint" stale=Freshness::Stale.in_words() />
        {content}
    })
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <EmptyState
            title="Nothing here yet"
            text="Bid on an item or watch it, and it is listed here, with what ends soon and what you win. Items that you sell are listed here, too."
        >
            <a class="button primary" href="/auctions">
                "Find an auction"
            </a>
            {request()
                .may_make()
                .then(|| {
                    view! {
                        <a class="button quiet" href="/auctions/new">
                            "New auction"
                        </a>
                    }
                })}
        </EmptyState>
    }
}

#[component]
fn Sections(page: DashboardPage, now: i64) -> impl IntoView {
    let tiles = view! { <Tiles page=page.clone() /> };
    let DashboardPage { auctions, books, outbid, ends_soon, leading, won, watched, selling, .. } = page;
    let sells = request().may_make() || !selling.items.is_empty();
    let bids = |position: Position| format!("{BIDS}?status={}", position.as_query());
    // Nothing to do about these if they are empty.
    let outbid = (!outbid.items.is_empty()).then(
        || view! { <List title="Outbid" id="outbid" section=outbid all=bids(Position::Outbid) none="" now /> },
    );
    let ends_soon = (!ends_soon.items.is_empty())
        .then(|| view! { <List title="Ends soon" id="ends-soon" section=ends_soon all="" none="" now /> });
    view! {
        {(!auctions.is_empty()).then(|| view! { <OpenAuctions auctions now /> })}
        {tiles}
        <div class="auction-lists">
            {outbid} {ends_soon} {(!books.is_empty()).then(|| view! { <Balances books /> })}
            <List
                title="Leading"
                id="leading"
                section=leading
                all=bids(Position::Leading)
                none="You lead no item right now. Find one in your auctions and bid."
                now
            />
            <List
                title="Won"
                id="won"
                section=won
                all=bids(Position::Won)
                none="What you win is listed here, with what is to be paid and collected."
                now
            />
            <List
                title="Watched"
                id="watched"
                section=watched
                all=WATCHED
                none="Mark an item with the star ☆ beside its name, and it is listed here."
                now
            />
            {sells
                .then(|| {
                    view! {
                        <List
                            title="Selling"
                            id="selling"
                            section=selling
                            all=ITEMS
                            none="You sell nothing. Add an item to an auction in which you may sell, or create an auction of your own."
                            now
                        />
                    }
                })}
        </div>
    }
}

/// Links to the viewer's open auctions.
#[component]
fn OpenAuctions(auctions: Vec<AuctionEntry>, now: i64) -> impl IntoView {
    let rows = auctions.into_iter().map(|AuctionEntry { auction, next_end }| {
        let end = next_end.map(|ends_at| {
            view! {
                <LoadBundle bundle=Bundle::Follow />
                <Countdown ends_at now />
            }
        });
        view! {
            <li>
                <a href=format!("/auctions/{}", auction.id)>
                    <Name text=auction.name />
                </a>
                <span>{count(auction.item_count, "item", "items")}</span>
                <span class="own-end">{end}</span>
            </li>
        }
    });
    view! {
        <section class="own-auctions" aria-labelledby="auctions">
            <h2 id="auctions" class="section-title">
                "Your auctions"
            </h2>
            <ul role="list">{rows.collect_view()}</ul>
        </section>
    }
}

/// What the viewer has in each book.
#[component]
fn Balances(books: Vec<BookEntry>) -> impl IntoView {
    let rows = books.into_iter().map(|book| {
        view! {
            <li class="book-row">
                <h3>
                    <a href=format!("/books/{}", book.id)>
                        <Name text=book.name />
                    </a>
                </h3>
                <FundsList funds=book.funds unit=book.unit id=format!("funds-{}", book.id) />
            </li>
        }
    });
    view! {
        <section aria-labelledby="balances">
            <h2 id="balances" class="section-title">
                "Balances"
            </h2>
            <ul class="books" role="list">
                {rows.collect_view()}
            </ul>
            <p class="own-more">
                <a href="/books">"All books"</a>
            </p>
        </section>
    }
}

/// The first items of a list. `all` is the address of the whole list, `none` the next step if it is empty.
#[component]
fn List(
    title: &'static str,
    id: &'static str,
    section: Section,
    #[prop(into)] all: String,
    none: &'static str,
    now: i64,
) -> impl IntoView {
    let Section { items, count } = section;
    let shown = items.len();
    let has_more = !all.is_empty() && count.is_none_or(|count| count > shown);
    let more = has_more.then(|| {
        let words = count.map_or_else(|| "Show all".to_owned(), |count| format!("Show all {count}"));
        let label = format!("{words}: {title}");
        view! {
            <p class="own-more">
                <a href=all aria-label=label>
                    {words}
                </a>
            </p>
        }
    });
    let content = if items.is_empty() {
        Either::Left(view! { <p class="hint">{none}</p> })
    } else {
        Either::Right(view! { <OwnItems list=id items now /> })
    };
    view! {
        <section aria-labelledby=id>
            <h2 id=id class="section-title">
                {title}
            </h2>
            {content}
            {more}
        </section>
    }
}
