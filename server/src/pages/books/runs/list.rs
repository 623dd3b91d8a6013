//! The runs so far, each with its undo.

use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::model::Listing;
use leptos::prelude::*;

/// A run of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRun {
    pub number: i64,
    /// In words.
    pub kind: &'static str,
    pub reason: Option<String>,
    pub by: Option<String>,
    /// An outcome has caused it.
    pub is_automatic: bool,
    pub created_at: i64,
    pub reversed_at: Option<i64>,
    /// A further outcome has reversed it.
    pub is_reversed_by_outcome: bool,
    pub is_reversible: bool,
}

#[component]
pub fn Runs(runs: Listing<ListedRun>, action: String) -> impl IntoView {
    let Listing { entries, next_cursor } = runs;
    let none = entries.is_empty().then(|| view! { <p>"Nothing yet."</p> });
    let older = next_cursor.map(|cursor| {
        view! {
            <nav class="pagination" aria-label="Pages of runs">
                <a href=format!("{action}?cursor={cursor}")>"Older"</a>
            </nav>
        }
    });
    let rows = entries.into_iter().map(|run| view! { <Row run action=action.clone() /> }).collect_view();
    view! {
        <section aria-labelledby="runs">
            <h2 id="runs">"So far"</h2>
            {none}
            <ol class="ledger" role="list">
                {rows}
            </ol>
            {older}
        </section>
    }
}

#[component]
fn Row(run: ListedRun, action: String) -> impl IntoView {
    let ListedRun { number, kind, reason, by, created_at, reversed_at, is_reversible, .. } = run;
    let automatic = run.is_automatic.then(|| view! { <span>"Automatic, with the sale"</span> });
    let undone = if run.is_reversed_by_outcome { "Undone by another outcome on " } else { "Undone on " };
    let by = by.map(|name| view! { <span>"By " <Name text=name /></span> });
    let reversed = reversed_at.map(|at| {
        view! {
            <span>
                {undone} <time datetime=stamp(at)>{date_and_time(at)}</time>
            </span>
        }
    });
    let undo = is_reversible.then(|| {
        view! {
            <form method="post" action=format!("{action}/{number}/reverse")>
                <button class="button" type="submit" aria-label=format!("Undo no. {number}")>
                    "Undo"
                </button>
            </form>
        }
    });
    view! {
        <li>
            <div>
                <p>{kind}</p>
                {reason.map(|reason| view! { <p class="ledger-reason">{reason}</p> })}
                <p class="facts">
                    <span>{format!("No. {number}")}</span>
                    {automatic}
                    {by}
                    <time datetime=stamp(created_at)>{date_and_time(created_at)}</time>
                    {reversed}
                </p>
            </div>
            {undo}
        </li>
    }
}
