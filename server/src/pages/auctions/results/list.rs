//! The closed items by lot number, each with its outcome and the buttons of the managers.

use app::components::figures::StaticFigures;
use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::pagination::{Pagination, page_address};
use app::islands::items::board::SECTION;
use app::model::Listing;
use leptos::either::Either;
use leptos::prelude::*;

use super::price::SoldPrice;
use super::{ResultsQuery, address};
use crate::pages::items::outcome::CLOSING;
use crate::pages::items::outcome_facts::{OutcomeFacts, OutcomeKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
    pub outcome: OutcomeFacts,
    /// What the sale has moved in the auction's book, as far as the viewer may see it.
    pub charges: Vec<SaleCharge>,
}

/// An entry of a book that follows from an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleCharge {
    /// `12 Tickets charged`
    pub words: String,
    /// Where the book has the entry.
    pub address: String,
}

#[component]
pub fn ResultItems(
    items: Listing<ResultRow>,
    path: String,
    query: ResultsQuery,
    manages: bool,
) -> impl IntoView {
    let first = address(&path, &query);
    let here = page_address(&first, query.cursor.as_deref());
    let auction = path.trim_end_matches("/results").to_owned();
    let none =
        items.entries.is_empty().then(|| view! { <p class="results-none">"No item is in this state."</p> });
    let rows = items.entries.into_iter().map(|row| {
        let (auction, back) = (auction.clone(), manages.then(|| here.clone()));
        view! { <Row row auction back /> }
    });
    view! {
        {none}
        <ul class="results-list" role="list">
            {rows.collect_view()}
        </ul>
        <Pagination path=first cursor=query.cursor next=items.next_cursor />
    }
}

/// `back` is the address of the list, for those who may mark outcomes.
#[component]
fn Row(row: ResultRow, auction: String, back: Option<String>) -> impl IntoView {
    let ResultRow { item_id, lot_number, name, outcome, charges } = row;
    let item = format!("{auction}/items/{item_id}");
    let anchor = match outcome.copy {
        1 => format!("item-{item_id}"),
        copy => format!("item-{item_id}-{copy}"),
    };
    let copy = outcome.copy_in_words().map(|words| format!(" · {words}"));
    let charges = charges.into_iter().map(|charge| {
        view! {
            <p class="results-charge">
                <a href=charge.address>
                    <StaticFigures text=charge.words />
                </a>
            </p>
        }
    });
    let charges = charges.collect_view();
    let marks = (outcome.kind == OutcomeKind::Sold).then(|| {
        let marks = OutcomeMarks {
            address: item.clone(),
            item_id: item_id.clone(),
            name: name.clone(),
            anchor: anchor.clone(),
        };
        view! { <Marks outcome=outcome.clone() marks back /> }
    });
    view! {
        <li class="results-row" id=anchor>
            <p class="results-lot">{format!("Lot {lot_number}")} {copy}</p>
            <h3>
                <a href=item><Name text=name /></a>
            </h3>
            <div class="results-outcome">
                <OutcomeWords outcome />
                {charges}
            </div>
            {marks}
        </li>
    }
}

/// To whom and for how much an item was sold, or why not.
#[component]
pub fn OutcomeWords(outcome: OutcomeFacts) -> impl IntoView {
    let OutcomeFacts { kind, winner, mine, price, promised, reason, .. } = outcome;
    let reason = reason.map(|reason| view! { <p class="results-reason">{reason}</p> });
    let words = match kind {
        OutcomeKind::Unsold => Either::Left(view! { <p class="results-unsold">"Not sold"</p> }),
        OutcomeKind::Cancelled => Either::Left(view! { <p class="results-unsold">"Cancelled"</p> }),
        OutcomeKind::Sold => {
            let winner = match (mine, winner) {
                (true, _) => "you".to_owned(),
                (false, Some(name)) => name,
                (false, None) => "a bidder".to_owned(),
            };
            Either::Right(view! {
                <p>
                    {if price.is_some() { "Sold to " } else { "Goes to " }}
                    <strong class="results-winner"><Name text=winner /></strong>
                    {price.map(|price| view! { " for " <SoldPrice price promised /> })}
                </p>
            })
        }
    };
    view! {
        {words}
        {reason}
    }
}

/// What the buttons of one outcome name and where they lead.
pub struct OutcomeMarks {
    /// Address of the item.
    pub address: String,
    pub item_id: String,
    pub name: String,
    /// Element that the browser returns to.
    pub anchor: String,
}

/// Name of the fields with the outcomes that a form marks, as its viewer has seen them.
pub const ITEM: &str = "item";

/// The name of the field that marks an outcome, with its words: done, open, and those of the button.
const MARKS: [(&str, &str, &str, &str); 2] = [
    ("paid", "Paid", "Not paid yet", "Mark paid"),
    ("collected", "Collected", "Not collected yet", "Mark collected"),
];

/// Whether the item is paid and collected; for managers with buttons.
#[component]
pub fn Marks(outcome: OutcomeFacts, marks: OutcomeMarks, back: Option<String>) -> impl IntoView {
    let OutcomeMarks { address, item_id, name, anchor } = marks;
    let Some(back) = back else {
        let times = [outcome.paid_at, outcome.collected_at];
        let words = MARKS.into_iter().zip(times).map(|((_, done, open, _), at)| {
            view! { <MarkState done open at /> }
        });
        return Either::Left(view! { <p class="results-marks">{words.collect_view()}</p> });
    };
    Either::Right(view! {
        <form class="results-marks" method="post" action=format!("{address}/outcome/mark")>
            <input type="hidden" name=ITEM value=outcome.seen(&item_id) />
            <input type="hidden" name=SECTION value=CLOSING />
            <input type="hidden" name="back" value=format!("{back}#{anchor}") />
            <MarkButtons outcome name anchor />
        </form>
    })
}

/// The buttons that mark an outcome, and what is marked. `name` is that of the item; the ids of the buttons
/// end with `anchor`.
#[component]
pub fn MarkButtons(outcome: OutcomeFacts, name: String, anchor: String) -> impl IntoView {
    let times = [outcome.paid_at, outcome.collected_at];
    let buttons = MARKS.into_iter().zip(times).map(|((field, done, open, label), at)| {
        let (value, label) = if at.is_some() { ("false", "Undo") } else { ("true", label) };
        let accessible = match at {
            Some(_) => format!("Undo “{done}” of {name}"),
            None => format!("{label}: {name}"),
        };
        let id = format!("{field}-{anchor}");
        view! {
            <span class="results-mark">
                {at.map(|_| view! { <MarkState done open at /> })}
                <button class="button quiet" type="submit" id=id name=field value=value aria-label=accessible>
                    {label}
                </button>
            </span>
        }
    });
    buttons.collect_view()
}

#[component]
fn MarkState(done: &'static str, open: &'static str, at: Option<i64>) -> impl IntoView {
    match at {
        Some(at) => Either::Left(view! {
            <time class="mark-done" datetime=stamp(at) title=date_and_time(at)>
                {done}
            </time>
        }),
        None => Either::Right(view! { <span class="mark-open">{open}</span> }),
    }
}
