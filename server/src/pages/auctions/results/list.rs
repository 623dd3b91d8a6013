//! The closed items by lot number, each with its outcome and the buttons of the managers.

use crate::pages::items::outcome_marks::{Marks, OutcomeMarks, OutcomeWords};
use app::components::figures::StaticFigures;
use app::components::name::Name;
use app::components::pagination::{Pagination, page_address};
use app::model::Listing;
use leptos::prelude::*;

use super::{ResultsQuery, address};
use crate::pages::items::outcome_facts::{OutcomeFacts, OutcomeKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
    pub outcome: OutcomeFacts,
    /// Entries of the auction's book that follow from the sale, as far as the viewer may see them.
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
