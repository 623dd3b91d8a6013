//! `/auctions/{auction_id}/results`

pub mod list;
mod statements;
mod summary;

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::empty_state::EmptyState;
use crate::components::guest_notice::GuestNotice;
use crate::components::name::Name;
use crate::components::page_description::PublicDescription;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{ResultFilter, ResultList, ResultsPage, ResultsQuery};
use list::ResultItems;
use statements::{StatementHead, Statements};
use summary::Summary;

pub fn results_page(page: ResultsPage) -> Html {
    let auction = format!("/auctions/{}", page.auction_id);
    let export = page.manages.then(|| format!("/api{auction}/export"));
    let (query, none) =
        (page.query.clone(), page.counts.sold + page.counts.unsold + page.counts.cancelled == 0);
    let title = format!("Results of {}", page.auction_name);
    let path = format!("{auction}/results");
    let auction_name = page.auction_name.clone();
    let head = StatementHead {
        auction: page.auction_name.clone(),
        organizer: page.organizer.clone(),
        collection: page.collection.clone(),
    };
    let (manages, list) = (page.manages, page.list.clone());
    html(view! {
        <PageTitle text=title.clone() />
        <PublicDescription title public=page.public.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=auction.clone()><Name text=auction_name /></a>
                </p>
                <h1>"Results"</h1>
            </div>
            {export.map(|export| view! { <Export export /> })}
        </header>
        <AuctionTabs auction current=AuctionTab::Results access=page.access />
        <GuestNotice public=page.public.clone() />
        {if none {
            Either::Left(view! {
                <EmptyState
                    title="No results yet"
                    text="An item is listed here as soon as it is closed: to whom it was sold, for how much, and what is still to be paid and collected."
                />
            })
        } else {
            Either::Right(view! {
                <Summary page />
                <Views path=path.clone() query=query.clone() />
                {match list {
                    ResultList::Items(items) => Either::Left(view! { <ResultItems items path query manages /> }),
                    ResultList::Statements(statements) => {
                        Either::Right(view! { <Statements statements head path query /> })
                    }
                }}
            })
        }}
    })
}

#[component]
fn Export(export: String) -> impl IntoView {
    view! {
        <p class="actions results-export">
            <a class="button quiet" href=format!("{export}?format=csv")>
                "Download CSV"
            </a>
            <a class="button quiet" href=format!("{export}?format=json")>
                "Download JSON"
            </a>
        </p>
    }
}

/// Links to the other views of the list.
#[component]
fn Views(path: String, query: ResultsQuery) -> impl IntoView {
    let links = ResultFilter::ALL.map(|show| {
        let is_current = !query.by_winner && query.show == show;
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
