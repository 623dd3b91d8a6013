//! The complete lists of the dashboard, page by page: `/dashboard/bids`, `/dashboard/items` and
//! `/dashboard/watched`.

use app::components::empty_state::EmptyState;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::html::{Html, html};
use app::model::Listing;
use app::request::request;
use auction_house::bids::own::Position;
use auction_house::bids::own::list::list_own_bids;
use auction_house::items::own::list::{list_sold, list_watched};
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;

use super::own_items::{OwnItemEntry, OwnItems};
use super::row::OwnItemRows;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;

/// `GET /dashboard/bids`: with the position that the query names or with any.
pub async fn bids(request: PageRequest) -> Response {
    let (read, cursor) = (read_bids(&request).await, request.cursor());
    request.render(read, |(position, found)| own_bids_page(position, found, cursor))
}

/// `GET /dashboard/items`
pub async fn sold(request: PageRequest) -> Response {
    let (found, cursor) = (read_sold(&request).await, request.cursor());
    request.render(found, |found| sold_items_page(found, cursor))
}

/// `GET /dashboard/watched`
pub async fn watched(request: PageRequest) -> Response {
    let (found, cursor) = (read_watched(&request).await, request.cursor());
    request.render(found, |found| watched_items_page(found, cursor))
}

async fn read_bids(request: &PageRequest) -> Loaded<(Option<Position>, Listing<OwnItemEntry>)> {
    let mut items = OwnItems::of(request).await?;
    let position = request.query("status").and_then(Position::of_query);
    let found = list_own_bids(&mut items.conn, items.viewer, position, request.page(), request.now).await?;
    let listing = items.listing_of_bids(found).await?;
    Ok((position, listing))
}

async fn read_sold(request: &PageRequest) -> Loaded<Listing<OwnItemEntry>> {
    let mut items = OwnItems::of(request).await?;
    let found = list_sold(&mut items.conn, items.viewer, request.page(), request.now).await?;
    items.listing(found).await
}

async fn read_watched(request: &PageRequest) -> Loaded<Listing<OwnItemEntry>> {
    let mut items = OwnItems::of(request).await?;
    let found = list_watched(&mut items.conn, items.viewer, request.page(), request.now).await?;
    items.listing(found).await
}

/// The positions in the order of their tabs.
const TABS: [Position; 5] =
    [Position::Leading, Position::Outbid, Position::Standing, Position::Won, Position::Lost];

pub const BIDS: &str = "/dashboard/bids";
pub const ITEMS: &str = "/dashboard/items";
pub const WATCHED: &str = "/dashboard/watched";

/// Items that the viewer has bid on, with a position or with any.
fn own_bids_page(position: Option<Position>, found: Listing<OwnItemEntry>, cursor: Option<String>) -> Html {
    let named = move |to: Position| view! { <Tab to=Some(to) shown=position words=in_words(to) /> };
    html(view! {
        <OwnItemList
            found
            cursor
            title="My bids"
            path=address(position)
            none="No item here"
            next="Items that you have bid on are listed here. Withdrawn bids do not count."
        >
            <nav class="own-tabs" aria-label="Position">
                <Tab to=None shown=position words="All" />
                {TABS.map(named).collect_view()}
            </nav>
        </OwnItemList>
    })
}

/// Items that the viewer sells.
fn sold_items_page(found: Listing<OwnItemEntry>, cursor: Option<String>) -> Html {
    html(view! {
        <OwnItemList
            found
            cursor
            title="My items"
            path=ITEMS.to_owned()
            none="You sell nothing yet"
            next="Add an item to an auction in which you may sell, or create an auction of your own."
        />
    })
}

/// Items that the viewer watches.
fn watched_items_page(found: Listing<OwnItemEntry>, cursor: Option<String>) -> Html {
    html(view! {
        <OwnItemList
            found
            cursor
            title="Watched items"
            path=WATCHED.to_owned()
            none="You watch nothing yet"
            next="Mark an item with the star ☆ beside its name, and it is listed here."
        />
    })
}

/// Leads to the bids with a position or with any. `shown` is the position of the current page.
#[component]
fn Tab(to: Option<Position>, shown: Option<Position>, words: &'static str) -> impl IntoView {
    view! {
        <a href=address(to) aria-current=(to == shown).then_some("page")>
            {words}
        </a>
    }
}

/// Address of the list of bids with this position.
fn address(position: Option<Position>) -> String {
    position.map_or_else(|| BIDS.to_owned(), |position| format!("{BIDS}?status={}", query_of(position)))
}

/// The value in an address.
pub(super) fn query_of(position: Position) -> String {
    position.as_str().to_ascii_lowercase()
}

fn in_words(position: Position) -> &'static str {
    match position {
        Position::Leading => "Leading",
        Position::Outbid => "Outbid",
        Position::Won => "Won",
        Position::Standing => "Standing",
        Position::Lost => "Not won",
    }
}

/// A page of a list. `path` is the address of its first page, `none` and `next` say what to do if it is
/// empty, and the children stand above it.
#[component]
fn OwnItemList(
    found: Listing<OwnItemEntry>,
    cursor: Option<String>,
    title: &'static str,
    path: String,
    none: &'static str,
    next: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let now = request().now;
    let above = children.map(|children| children());
    let content = if found.entries.is_empty() {
        Either::Left(view! {
            <EmptyState title=none text=next>
                <a class="button primary" href="/auctions">
                    "Auctions"
                </a>
            </EmptyState>
        })
    } else {
        Either::Right(view! {
            <h2 class="visually-hidden">"Items"</h2>
            <OwnItemRows list="list" items=found.entries now />
        })
    };
    view! {
        <PageTitle text=title />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/dashboard">"Dashboard"</a>
                </p>
                <h1>{title}</h1>
            </div>
        </header>
        {above}
        {content}
        <Pagination path cursor next=found.next_cursor />
    }
}
