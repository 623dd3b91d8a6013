//! The entries, newest first, each with its reversal.

use app::bounds::MAX_REASON_CHARS;
use app::components::field::{Field, field_error, field_id, refused_value};
use app::components::moment::{date_and_time, stamp};
use app::components::money::StaticValue;
use app::components::name::Name;
use app::model::{BaseUnit, EntryKind, Listing, SelectOption};
use leptos::prelude::*;

/// An entry of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub sequence: i64,
    pub holder: SelectOption,
    /// In base units, with its sign.
    pub amount: String,
    pub kind: EntryKind,
    pub reason: Option<String>,
    /// The sequence of the entry that this one reverses.
    pub reverses: Option<i64>,
    /// The viewer may reverse it.
    pub is_reversible: bool,
    pub by: Option<String>,
    pub created_at: i64,
}

/// Why an entry is reversed.
pub(super) const REASON: Field =
    Field::new("reversalReason", "Reason", "Say why the entry is reversed. The person can read it.");
/// Name of the hidden field with the sequence of the entry to reverse.
const ENTRY: &str = "entry";

/// `of` is the holder whose entries are shown. `before` is the first sequence that this page does not show.
#[component]
pub fn Entries(
    path: String,
    unit: BaseUnit,
    entries: Listing<LedgerEntry>,
    of: Option<SelectOption>,
    keeps: bool,
    before: Option<String>,
) -> impl IntoView {
    let holder = of.as_ref().map(|holder| format!("holder={}&", holder.value)).unwrap_or_default();
    let page = |before: Option<&str>| match before {
        Some(before) => format!("{path}?{holder}before={before}#entries"),
        None => format!("{path}?{}#entries", holder.trim_end_matches('&')),
    };
    let first = before.is_some().then(|| page(None));
    let next = entries.next_cursor.as_deref().map(|before| page(Some(before)));
    let all = (keeps && of.is_some()).then(|| {
        view! {
            <p>
                <a href=format!("{path}#entries")>"Entries of all people"</a>
            </p>
        }
    });
    let title = match of.filter(|_| keeps) {
        Some(holder) => format!("Entries of {}", holder.label),
        None => "Entries".to_owned(),
    };
    let none = entries.entries.is_empty().then(|| view! { <p class="hint">"There are no entries yet."</p> });
    let rows = entries.entries.into_iter().map(|entry| {
        view! { <Row entry path=path.clone() unit=unit.clone() /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let link = |address: Option<String>, label: &'static str| {
        address.map(|address| {
            view! {
                <a class="button quiet" href=address>
                    {label}
                </a>
            }
        })
    };
    let pages = (first.is_some() || next.is_some()).then(|| {
        view! {
            <nav class="pagination" aria-label="Pages of entries">
                {link(first, "Newest entries")}
                {link(next, "Older entries")}
            </nav>
        }
    });
    view! {
        <section aria-labelledby="entries">
            <h2 id="entries">
                <bdi>{title}</bdi>
            </h2>
            {all}
            {none}
            <ol class="ledger" role="list">
                {rows}
            </ol>
            {pages}
        </section>
    }
}

#[component]
fn Row(entry: LedgerEntry, path: String, unit: BaseUnit) -> impl IntoView {
    let LedgerEntry { sequence, holder, amount, kind, reason, reverses, is_reversible, by, created_at } =
        entry;
    let kind = match (kind, reverses) {
        (EntryKind::Grant, _) => "Given".to_owned(),
        (EntryKind::Charge, _) => "Charge for an item".to_owned(),
        (EntryKind::Share, _) => "Share".to_owned(),
        (EntryKind::Decay, _) => "Decay".to_owned(),
        (EntryKind::Reversal, Some(of)) => format!("Reversal of no. {of}"),
        (EntryKind::Reversal, None) => "Reversal".to_owned(),
    };
    let by = by.map(|name| view! { <span>"By " <Name text=name /></span> });
    let reason = reason.map(|reason| view! { <p class="ledger-reason">{reason}</p> });
    let amount = if amount.starts_with('-') { amount } else { format!("+{amount}") };
    let reverse = is_reversible.then(|| {
        view! { <Reverse action=format!("{path}/entries/{sequence}/reverse") sequence /> }
    });
    view! {
        <li id=format!("entry-{sequence}")>
            <div>
                <p>
                    <Name text=holder.label />
                </p>
                {reason}
                <p class="facts">
                    <span>{format!("No. {sequence}")}</span>
                    <span>{kind}</span>
                    {by}
                    <time datetime=stamp(created_at)>{date_and_time(created_at)}</time>
                </p>
            </div>
            <p class="ledger-amount">
                <StaticValue amount unit />
            </p>
            {reverse}
        </li>
    }
}

/// A refused form stays open, with what was typed.
#[component]
fn Reverse(action: String, sequence: i64) -> impl IntoView {
    let number = sequence.to_string();
    let is_refused = refused_value(ENTRY).as_deref() == Some(number.as_str());
    let id = is_refused.then(|| field_id(REASON.name));
    let error_id = id.as_ref().map(|id| format!("{id}-error"));
    let error = field_error(&REASON).filter(|_| is_refused).map(|error| {
        view! { <p class="field-error" id=error_id.clone()>{error}</p> }
    });
    let described_by = error.as_ref().and(error_id);
    view! {
        <details class="manage-member" open=is_refused>
            <summary aria-label=format!("Reverse entry {sequence}")>"Reverse"</summary>
            <form class="manage-member-forms" method="post" action=action novalidate>
                <p>"An entry with the opposite amount is written. Both stay in the list."</p>
                {error}
                <input type="hidden" name=ENTRY value=number />
                <input
                    id=id
                    type="text"
                    name=REASON.name
                    value=is_refused.then(|| refused_value(REASON.name)).flatten()
                    aria-describedby=described_by
                    aria-label=format!("Reason for the reversal of entry {sequence}")
                    placeholder=REASON.label
                    maxlength=MAX_REASON_CHARS
                />
                <button class="button" type="submit">
                    {format!("Reverse entry {sequence}")}
                </button>
            </form>
        </details>
    }
}
