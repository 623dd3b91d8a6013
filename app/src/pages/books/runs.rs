//! `/books/{book_id}/runs`: shares what was spent and lets balances decay, after a preview, and undoes both.

use leptos::prelude::*;

use super::Done;
use crate::bounds::MAX_REASON_CHARS;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, RadioField, SelectField, TextField, refused_value};
use crate::components::import_form::{PREVIEWED_MAX, PreviewTable};
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{StaticValue, amount_in};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{
    BaseUnit, Filled, Listing, Refused, RunEntry, RunLine, RunPreview, RunsPage, SelectOption,
};
use crate::request::request;

/// The kind of a run, by which its form is told apart.
pub const KIND: &str = "kind";
/// The auction whose pot is shared.
pub const FROM: Field = Field::new("auctionId", "Spent in", "Choose an auction.");
/// The people among whom it is shared.
pub const TO: Field = Field::new("to", "Share among", "Choose among whom it is shared.");
/// What rounding leaves.
pub const REST: Field = Field::new("rest", "What can’t be split evenly", "Choose what becomes of the rest.");
/// The part that decays.
pub const PERCENT: Field =
    Field::new("percent", "Percent", "Enter a number above 0, at most 100, such as 10.");
/// A balance that no decay crosses.
pub const FLOOR: Field =
    Field::new("floor", "But not below", "Enter a number from 0, such as 50, or nothing.");
/// The name of a week or a month.
pub const PERIOD: Field =
    Field::new("period", "For the week or month", "Enter at most 64 characters, or nothing.");
const REASON: Field = Field::new("reason", "Reason", "Say why. The people can read it.");

const AMONG: &[(&str, &str, &str)] = &[
    ("PRESENT", "Those who are present", "The people who are marked as present in the auction."),
    ("ALL", "Everyone", "Everyone who has a balance here."),
];
const RESTS: &[(&str, &str, &str)] = &[
    ("KEEP", "Keep it for the next time", "Everyone gets the same."),
    ("SPREAD", "Give it out", "Some get one hundredth more."),
];

/// The fields that both forms post again with a preview.
const REPEATED: [&str; 7] = [KIND, FROM.name, TO.name, REST.name, PERCENT.name, FLOOR.name, PERIOD.name];

pub fn runs_page(page: RunsPage) -> Html {
    let RunsPage { book, pot, auctions, fields, preview, errors, runs } = page;
    let path = format!("/books/{}", book.id);
    let action = format!("{path}/runs");
    if use_context::<Refused>().is_none() {
        provide_context(Filled(fields.clone()));
    }
    let forms = (!book.is_closed).then(|| {
        view! {
            <Share action=action.clone() auctions unit=book.unit.clone() />
            <Decay action=action.clone() />
        }
    });
    let wrong = (!errors.is_empty()).then(|| {
        let lines = errors.into_iter().map(|error| view! { <li>{error}</li> }).collect_view();
        view! {
            <div class="error-summary" role="alert">
                <p>"This can’t be done yet:"</p>
                <ul>{lines}</ul>
            </div>
        }
    });
    let preview = preview
        .map(|preview| view! { <Preview preview fields unit=book.unit.clone() action=action.clone() /> });
    html(view! {
        <PageTitle text=format!("Share and decay in {}", book.name) />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path>
                        <Name text=book.name.clone() />
                    </a>
                </p>
                <h1>"Share and decay"</h1>
                <p class="facts">
                    <span>{format!("Spent and not shared yet: {}", amount_in(&pot, &book.unit))}</span>
                </p>
            </div>
        </header>
        <div class="book-page">
            <ErrorSummary fields=&[&[FROM, TO, REST, PERCENT, FLOOR, PERIOD, REASON]] />
            <Done />
            {wrong}
            {preview}
            {forms}
            <Runs runs action />
        </div>
    })
}

#[component]
fn Share(action: String, auctions: Vec<(SelectOption, String)>, unit: BaseUnit) -> impl IntoView {
    if auctions.is_empty() {
        return view! {
            <section aria-labelledby="share">
                <h2 id="share">"Share what was spent"</h2>
                <p>"No auction uses these balances yet."</p>
            </section>
        }
        .into_any();
    }
    let first = auctions.first().map(|(option, _)| option.value.clone());
    let options = auctions.into_iter().map(|(SelectOption { value, label }, pot)| {
        let label = format!("{label}: {} not shared yet", amount_in(&pot, &unit));
        SelectOption { value, label }
    });
    let options: Vec<SelectOption> = options.collect();
    view! {
        <section aria-labelledby="share">
            <h2 id="share">"Share what was spent"</h2>
            <form method="get" action=action novalidate>
                <input type="hidden" name=KIND value="SHARE" />
                <SelectField field=FROM options chosen=first.unwrap_or_default() />
                <RadioField field=TO choices=AMONG />
                <RadioField field=REST choices=RESTS />
                <button class="button primary" type="submit">
                    "Preview the share"
                </button>
            </form>
        </section>
    }
    .into_any()
}

#[component]
fn Decay(action: String) -> impl IntoView {
    view! {
        <section aria-labelledby="decay">
            <h2 id="decay">"Decay"</h2>
            <form method="get" action=action novalidate>
                <input type="hidden" name=KIND value="DECAY" />
                <div class="field-row">
                    <TextField field=PERCENT hint="Taken of each balance" inputmode="decimal" class="amount short" required=true />
                    <TextField
                        field=FLOOR
                        hint="Only what a balance has above it decays. Leave it empty for 0."
                        inputmode="decimal"
                        class="amount short"
                    />
                </div>
                <TextField
                    field=PERIOD
                    hint="Such as 2026-W48. The same one decays once. Leave it empty if that does not matter."
                    maxlength=64
                />
                <button class="button primary" type="submit">
                    "Preview the decay"
                </button>
            </form>
        </section>
    }
}

#[component]
fn Preview(
    preview: RunPreview,
    fields: Vec<(String, String)>,
    unit: BaseUnit,
    action: String,
) -> impl IntoView {
    let RunPreview { rows, kept, hash, is_share } = preview;
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let hidden = fields.into_iter().filter(|(name, _)| REPEATED.contains(&name.as_str()));
    let hidden = hidden.map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let hidden = hidden.collect_view();
    let total = rows.len();
    let cell = |amount: String| {
        view! {
            <td class="ledger-amount">
                <StaticValue amount unit=unit.clone() />
            </td>
        }
    };
    let line = |RunLine { name, amount, before, after }: RunLine| {
        view! {
            <td>
                <Name text=name />
            </td>
            {cell(amount)}
            {cell(before)}
            {cell(after)}
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    let kept = kept.map(|kept| {
        view! { <p>{format!("{} stays for the next time.", amount_in(&kept, &unit))}</p> }
    });
    let (title, label) = if is_share {
        ("Preview of the share", "Share it")
    } else {
        ("Preview of the decay", "Let it decay")
    };
    view! {
        <section aria-labelledby="run-preview">
            <h2 id="run-preview">{title}</h2>
            <PreviewTable label="Rows of the preview" headings=["Person", "Change", "Before", "After"] lines total />
            {kept}
            <form method="post" action=action novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <input type="hidden" name="expect" value=hash />
                {hidden}
                <TextField field=REASON hint="The people can read it." maxlength=MAX_REASON_CHARS required=true />
                <button class="button primary" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}

#[component]
fn Runs(runs: Listing<RunEntry>, action: String) -> impl IntoView {
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
fn Row(run: RunEntry, action: String) -> impl IntoView {
    let RunEntry { number, kind, reason, by, created_at, reversed_at, is_reversible, .. } = run;
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
