//! `/dashboard`

use std::collections::{BTreeMap, HashSet};

use app::bundles::{Bundle, LoadBundle};
use app::components::countdown::Countdown;
use app::components::empty_state::EmptyState;
use app::components::live_news::LiveNews;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::words::count;
use app::html::{Html, html};
use app::live::follow::Freshness;
use app::model::BaseUnit;
use app::request::request;
use auction_house::bids::own::Position;
use auction_house::engine::Normalized;
use auction_house::ids::ItemId;
use auction_house::usage::{self, First, FirstBidOn, OwnItem};
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::paging::Page;

use super::lists::{BIDS, ITEMS, WATCHED, query_of};
use super::own_items::{OwnItemEntry, OwnItems};
use super::row::OwnItemRows;
use super::tiles::Tiles;
use crate::pages::auctions::list::{AuctionEntry, open_auctions};
use crate::pages::books::FundsList;
use crate::pages::books::facts::{BookEntry, list};
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;

/// The dashboard. Each list has the first of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DashboardPage {
    /// The viewer's open auctions, the newest first.
    pub auctions: Vec<AuctionEntry>,
    /// The first of the viewer's open books.
    pub books: Vec<BookEntry>,
    /// Items that others lead, the next to end first.
    pub outbid: Section,
    /// Items that end within a day and that the viewer leads or watches, the next to end first.
    pub ends_soon: Section,
    /// The next to end first.
    pub leading: Section,
    /// What is to be paid or collected first, then the last to end first.
    pub won: Section,
    /// The sums of what the viewer has won among these and has not paid, one for each kind of money.
    pub owed: Vec<Owed>,
    /// Open items, the next to end first, then the last to end.
    pub watched: Section,
    /// Open items, the next to end first, then the last to end.
    pub selling: Section,
}

impl DashboardPage {
    pub fn is_empty(&self) -> bool {
        let sections = [&self.outbid, &self.leading, &self.won, &self.watched, &self.selling];
        self.auctions.is_empty()
            && self.books.is_empty()
            && sections.into_iter().all(|section| section.items.is_empty())
    }
}

/// A sum that the viewer has to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// In base units.
    pub amount: String,
    pub unit: BaseUnit,
}

/// The first items of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    pub items: Vec<OwnItemEntry>,
    /// How many items the list has. Absent if it is too long to be counted.
    pub count: Option<usize>,
}

/// Items of each list of the dashboard.
const SHOWN_MAX: usize = 20;
/// Items that end within this time end soon.
const SOON_SECONDS: i64 = 24 * 60 * 60;

/// `GET /dashboard`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, dashboard_page)
}

async fn read(request: &PageRequest) -> Loaded<DashboardPage> {
    let mut own = OwnItems::of(request).await?;
    let (viewer, now) = (own.viewer, own.now);
    let FirstBidOn { outbid, leading, won } =
        usage::first_bid_on(&mut own.conn, viewer, SHOWN_MAX, now).await?;
    let watched = usage::first_watched(&mut own.conn, viewer, SHOWN_MAX, now).await?;
    let sold = usage::first_sold(&mut own.conn, viewer, SHOWN_MAX, now).await?;

    let soon = now.plus_seconds(SOON_SECONDS);
    let followed = leading.items.iter().chain(&watched.items);
    let ending = followed.filter(|item| !item.has_ended && item.ends_at.is_some_and(|end| end <= soon));
    let ending: BTreeMap<_, OwnItem> = ending.map(|item| ((item.ends_at, item.item_id), *item)).collect();
    let ends_soon = First { items: ending.into_values().take(SHOWN_MAX).collect(), count: None };

    let lists = [&outbid, &leading, &won, &watched, &sold];
    let ids: HashSet<ItemId> =
        lists.into_iter().flat_map(|list| &list.items).map(|item| item.item_id).collect();
    let items = own.items(ids).await?;
    let books = Page { limit: SHOWN_MAX, after: None };
    let mut books = list(&mut own.conn, viewer, books).await?.entries;
    books.retain(|book| !book.is_closed);
    let section = |list: First| Section {
        items: list.items.iter().filter_map(|item| items.get(&item.item_id).cloned()).collect(),
        count: list.count,
    };
    let won = section(won);
    Ok(DashboardPage {
        auctions: open_auctions(&mut own.conn, viewer, now).await?,
        books,
        outbid: section(outbid),
        ends_soon: section(ends_soon),
        leading: section(leading),
        owed: owed(&won.items),
        won,
        watched: section(watched),
        selling: section(sold),
    })
}

/// The sums of what is not paid, one for each kind of money. What is to be paid comes first in the list.
fn owed(won: &[OwnItemEntry]) -> Vec<Owed> {
    let mut sums: Vec<(Normalized, &BaseUnit)> = Vec::new();
    for item in won {
        let is_due = item.bid.as_ref().and_then(|bid| bid.dues).is_some_and(|dues| !dues.is_paid);
        let price = item.item.highest_bid.as_deref().filter(|_| is_due);
        let Some(price) = price.and_then(|price| price.parse::<Normalized>().ok()) else { continue };
        let unit = &item.item.base_unit;
        match sums.iter_mut().find(|(_, of)| *of == unit) {
            Some((sum, _)) => *sum = sum.checked_add(price).unwrap_or(*sum),
            None => sums.push((price, unit)),
        }
    }
    sums.into_iter().map(|(sum, unit)| Owed { amount: sum.to_string(), unit: unit.clone() }).collect()
}

fn dashboard_page(page: DashboardPage) -> Html {
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
    let bids = |position: Position| format!("{BIDS}?status={}", query_of(position));
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
        Either::Right(view! { <OwnItemRows list=id items now /> })
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
