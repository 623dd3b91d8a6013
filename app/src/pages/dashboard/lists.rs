//! The complete lists of the dashboard, page by page: `/dashboard/bids`, `/dashboard/items` and
//! `/dashboard/watched`.

use leptos::either::Either;
use leptos::prelude::*;

use super::row::OwnItems;
use crate::components::empty_state::EmptyState;
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::html::{Html, html};
use crate::model::{Listing, OwnItem, Position};
use crate::request::request;

pub const BIDS: &str = "/dashboard/bids";
pub const ITEMS: &str = "/dashboard/items";
pub const WATCHED: &str = "/dashboard/watched";

/// Items that the viewer has bid on, with a position or with any.
pub fn own_bids_page(position: Option<Position>, found: Listing<OwnItem>, cursor: Option<String>) -> Html {
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
                {Position::ALL.map(named).collect_view()}
            </nav>
        </OwnItemList>
    })
}

/// Items that the viewer sells.
pub fn sold_items_page(found: Listing<OwnItem>, cursor: Option<String>) -> Html {
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
pub fn watched_items_page(found: Listing<OwnItem>, cursor: Option<String>) -> Html {
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
    position.map_or_else(|| BIDS.to_owned(), |position| format!("{BIDS}?status={}", position.as_query()))
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
    found: Listing<OwnItem>,
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
            <OwnItems list="list" items=found.entries now />
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
