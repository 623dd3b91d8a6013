//! `/auctions/{auction_id}/results`

pub mod checkout;
pub mod list;
mod price;
mod statements;
mod summary;

use leptos::either::EitherOf4;
use leptos::prelude::*;

use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::empty_state::EmptyState;
use crate::components::export_links::ExportLinks;
use crate::components::guest_notice::GuestNotice;
use crate::components::name::Name;
use crate::components::page_description::PublicDescription;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{ResultFilter, ResultList, ResultsPage, ResultsQuery};
use checkout::{CheckoutSaleView, Desk};
use list::ResultItems;
use price::BaseUnitsToggle;
use statements::{StatementHead, Statements};
use summary::Summary;

pub fn results_page(page: ResultsPage) -> Html {
    let auction = format!("/auctions/{}", page.auction_id);
    let exported = page.access.can_change.then(|| format!("/api{auction}"));
    let title = format!("Results of {}", page.auction_name);
    let path = format!("{auction}/results");
    let auction_name = page.auction_name.clone();
    let (public, access) = (page.public.clone(), page.access);
    let checkout =
        if let ResultList::Checkout(checkout) = &page.list { Some(checkout.clone()) } else { None };
    // The script of the desk replaces it with the checkout of the next winner.
    let class = checkout.is_some().then_some("live");
    let desk = page.desk.clone().map(|desk| view! { <Desk desk checkout path=path.clone() /> });
    html(view! {
        <PageTitle text=title.clone() />
        <PublicDescription title public=public.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=auction.clone()><Name text=auction_name /></a>
                </p>
                <h1>"Results"</h1>
            </div>
            {exported.map(|auction| view! { <Export auction /> })}
        </header>
        <AuctionTabs auction current=AuctionTab::Results access />
        <GuestNotice public />
        <BaseUnitsToggle total=page.total.clone() />
        {desk}
        <div id="results" class=class>
            <Body page path />
        </div>
    })
}

/// The checkout of one winner, or a list with its summary.
#[component]
fn Body(page: ResultsPage, path: String) -> impl IntoView {
    let none = page.counts.sold + page.counts.unsold + page.counts.cancelled == 0;
    let (query, manages) = (page.query.clone(), page.manages);
    let head = StatementHead {
        auction: page.auction_name.clone(),
        organizer: page.organizer.clone(),
        collection: page.collection.clone(),
    };
    let views = view! { <Views path=path.clone() query=query.clone() /> };
    match page.list.clone() {
        ResultList::Checkout(checkout) => EitherOf4::A(view! {
            <CheckoutSaleView checkout head path />
            {views}
        }),
        ResultList::Items(_) | ResultList::Statements(_) if none => EitherOf4::B(view! {
            <EmptyState
                title="No results yet"
                text="An item is listed here as soon as it is closed: to whom it was sold, for how much, and what is still to be paid and collected."
            />
        }),
        ResultList::Items(items) => EitherOf4::C(view! {
            <Summary page />
            {views}
            <ResultItems items path query manages />
        }),
        ResultList::Statements(statements) => EitherOf4::D(view! {
            <Summary page />
            {views}
            <Statements statements head path query />
        }),
    }
}

#[component]
fn Export(auction: String) -> impl IntoView {
    view! {
        <p class="actions results-export">
            <ExportLinks path=format!("{auction}/export") csv="Download CSV" xlsx="Download Excel" />
            <a class="button quiet" href=format!("{auction}/export?format=json")>
                "Download JSON"
            </a>
            <ExportLinks path=format!("{auction}/items/export") csv="Lots as CSV" xlsx="Lots as Excel" />
        </p>
    }
}

/// Links to the other views of the list.
#[component]
fn Views(path: String, query: ResultsQuery) -> impl IntoView {
    let links = ResultFilter::ALL.map(|show| {
        let is_current = query.asked.is_none() && !query.by_winner && query.show == show;
        let label = match show {
            ResultFilter::All => "All items",
            ResultFilter::ToPay => "To pay",
            ResultFilter::ToCollect => "Paid, to collect",
            ResultFilter::Unsold => "Not sold",
        };
        let query = ResultsQuery { show, ..ResultsQuery::default() };
        view! {
            <a href=address(&path, &query) aria-current=is_current.then_some("true")>
                {label}
            </a>
        }
    });
    let by_winner = ResultsQuery { by_winner: true, ..ResultsQuery::default() };
    view! {
        <nav class="results-views" aria-label="Views of the results">
            {links.collect_view()}
            <a href=address(&path, &by_winner) aria-current=query.by_winner.then_some("true")>
                "By winner, for printing"
            </a>
        </nav>
    }
}

/// Address of the first page of a view of the results.
fn address(path: &str, query: &ResultsQuery) -> String {
    if query.by_winner {
        format!("{path}?by=winner")
    } else if query.show == ResultFilter::All {
        path.to_owned()
    } else {
        format!("{path}?show={}", query.show.as_str())
    }
}
