//! The outcome of an item in words, and the buttons that mark it as paid and collected.

use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::islands::items::board::SECTION;
use auction_house::ids::{AuctionId, UserId};
use auction_house::items::outcomes::mark::{Marks as SetMarks, SeenOutcome, mark_outcomes};
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::outcome::CLOSING;
use super::outcome_facts::{OutcomeFacts, OutcomeKind};
use super::sold_price::SoldPrice;
use crate::codes;
use crate::pages::form::Form;
use crate::state::AppState;

/// Name of the fields with the outcomes that a form marks, as its viewer has seen them.
pub const ITEM: &str = "item";

/// The name of the field that marks an outcome, with its words: done, open, and those of the button.
const MARKS: [(&str, &str, &str, &str); 2] = [
    ("paid", "Paid", "Not paid yet", "Mark paid"),
    ("collected", "Collected", "Not collected yet", "Mark collected"),
];

/// Why nothing is marked if what the cashier saw is not true any more.
const CHANGED: &str =
    "Nothing was marked: it is marked already, or the result is another one now. Look again.";

/// What the buttons of one outcome name and where they lead.
pub struct OutcomeMarks {
    /// Address of the item.
    pub address: String,
    pub item_id: String,
    pub name: String,
    /// Element that the browser returns to.
    pub anchor: String,
}

/// Marks outcomes as the pressed button of a form says, all of them or none.
pub async fn mark_seen(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    seen: &[SeenOutcome],
    form: &Form,
) -> Result<(), Problem> {
    let is_settled = form.get("settled").map(|_| true);
    let mark = |name| form.get(name).map(|mark| mark == "true").or(is_settled);
    let marks = SetMarks { paid: mark("paid"), collected: mark("collected") };
    let marked = mark_outcomes(&state.context, auction_id, user, seen, marks).await;
    marked.map_err(|error| match Problem::from(error) {
        problem if problem.code == codes::PRECONDITION_FAILED => Problem::new(problem.code, CHANGED),
        problem => problem,
    })
}

/// An outcome as [`OutcomeFacts::seen`](OutcomeFacts::seen) writes it.
pub fn seen_outcome(text: &str) -> Option<SeenOutcome> {
    let mut parts = text.split('.');
    let item_id = parts.next()?.parse().ok()?;
    let (copy, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let marks: Vec<&str> = parts.collect();
    let [is_paid, is_collected] = ["paid", "collected"].map(|mark| marks.contains(&mark));
    Some(SeenOutcome { item_id, copy, number, is_paid, is_collected })
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
pub(super) fn MarkState(done: &'static str, open: &'static str, at: Option<i64>) -> impl IntoView {
    match at {
        Some(at) => Either::Left(view! {
            <time class="mark-done" datetime=stamp(at) title=date_and_time(at)>
                {done}
            </time>
        }),
        None => Either::Right(view! { <span class="mark-open">{open}</span> }),
    }
}
