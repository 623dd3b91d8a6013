//! One statement for each winner. On paper each begins on a page of its own.

use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::pagination::Pagination;
use app::model::Listing;
use app::request::request;
use leptos::prelude::*;

use super::list::ResultRow;
use super::price::Sums;
use super::summary::{WinnerTotals, state_in_words};
use super::{ResultsQuery, address};
use crate::pages::items::sold_price::SoldPrice;

/// What one winner has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub winner: WinnerTotals,
    /// The items of this page of the list.
    pub rows: Vec<ResultRow>,
}

/// What every statement says of its auction.
#[derive(Debug, Clone)]
pub struct StatementHead {
    pub auction: String,
    pub organizer: Option<String>,
    /// Where and when to pay and collect.
    pub collection: String,
}

#[component]
pub fn Statements(
    statements: Listing<Statement>,
    head: StatementHead,
    path: String,
    query: ResultsQuery,
) -> impl IntoView {
    let first = address(&path, &query);
    let none = statements.entries.is_empty().then(
        || view! { <p class="results-none">"Nothing was sold to a bidder whose name you may see."</p> },
    );
    let entries = statements.entries.into_iter().enumerate().map(|(index, statement)| {
        view! { <WinnerStatement statement head=head.clone() id=format!("winner-{index}") /> }
    });
    view! {
        {none}
        {entries.collect_view()}
        <Pagination path=first cursor=query.cursor next=statements.next_cursor />
    }
}

#[component]
fn WinnerStatement(statement: Statement, head: StatementHead, id: String) -> impl IntoView {
    let StatementHead { auction, organizer, collection } = head;
    let Statement { winner, rows } = statement;
    let heading = id.clone();
    let state = state_in_words(&winner.totals);
    let part = (rows.len() < winner.totals.items)
        .then(|| view! { <p class="hint">{format!("{} of {} items.", rows.len(), winner.totals.items)}</p> });
    let rows = rows.into_iter().map(|row| view! { <Line row /> }).collect_view();
    let now = request().now;
    view! {
        <section class="statement" aria-labelledby=id>
            <h2 id=heading><Name text=winner.name /></h2>
            // On paper, the page's own heading is missing.
            <p class="statement-of">
                <Name text=auction />
                {organizer.map(|organizer| view! { ", by " <Name text=organizer /> })} " · "
                <time datetime=stamp(now)>{date_and_time(now)}</time>
            </p>
            <p class="statement-state">{state}</p>
            {part}
            <table>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Lot"</th>
                        <th scope="col">"Item"</th>
                        <th scope="col" class="number">"Price"</th>
                        <th scope="col">"State"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <div class="statement-total">
                <p>"Total"</p>
                <div class="statement-sums">
                    <Sums totals=winner.totals />
                </div>
            </div>
            {(!collection.is_empty())
                .then(|| {
                    view! {
                        <p class="statement-collection">
                            <strong>"Pay and collect: "</strong>
                            {collection}
                        </p>
                    }
                })}
        </section>
    }
}

#[component]
fn Line(row: ResultRow) -> impl IntoView {
    let ResultRow { lot_number, name, outcome, .. } = row;
    let state = match (outcome.paid_at, outcome.collected_at) {
        (Some(_), Some(_)) => "paid, collected",
        (Some(_), None) => "paid",
        (None, Some(_)) => "collected, to pay",
        (None, None) => "to pay",
    };
    let promised = outcome.promised;
    view! {
        <tr>
            <td class="number">{lot_number}</td>
            <th scope="row"><Name text=name /></th>
            <td class="number">
                {outcome.price.map(|price| view! { <SoldPrice price promised /> })}
            </td>
            <td>{state}</td>
        </tr>
    }
}
