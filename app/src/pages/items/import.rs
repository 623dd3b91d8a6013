//! `/auctions/{auction_id}/items/import`: items from a table, with a preview that writes nothing.

use leptos::prelude::*;

use crate::components::drafts::Drafts;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, SelectField, TextArea, refused_value};
use crate::components::import_form::{
    FILE, FileField, ImportActions, PREVIEWED_MAX, PreviewTable, RowErrors,
};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::past_imports::{ImportUndone, ImportedBefore, PastImportsList, UndoNew};
use crate::components::sheet_choice::SHEET;
use crate::components::table_columns::{HEADER_ROW, TableColumns};
use crate::components::words::count;
use crate::html::{Html, html};
use crate::model::{ItemImportPage, ItemImportRow, PastImports, SelectOption};
use crate::request::{query_part, request};

/// The rows that are pasted.
pub const ROWS: Field = Field::new("csv", "Rows", "Paste rows below a line with the names of their columns.");
/// Name of the hidden field with the zone of local times.
pub const ZONE: &str = "timeZone";
/// The order of day and month, for dates that may be read both ways.
pub const DATES: Field =
    Field::new("dates", "Dates such as 1/2/2026", "Choose what the dates of the table mean.");
/// Parameters of the address with what was imported just before.
pub const CREATED: &str = "created";
pub const CHANGED: &str = "changed";

pub fn item_import_page(page: ItemImportPage) -> Html {
    let ItemImportPage { auction_id, auction_name, money, manages, drafts, rows, errors, layout, imports } =
        page;
    let (path, before) = (format!("/auctions/{auction_id}/items/import"), imports.before);
    let back = format!("/auctions/{auction_id}");
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let (zone, cancel) = (request().zone.name.clone(), back.clone());
    let lots = manages.then(|| {
        view! {
            <p class="hint">
                "A row whose lot number the auction has changes that lot; what is empty stays. A seller is named by the number or the e-mail of a member."
            </p>
        }
    });
    let asks_for_dates = !layout.previewed.is_empty();
    let further = if manages { ", lot, seller" } else { "" };
    html(view! {
        <PageTitle text="Import lots" />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=back.clone()>
                        <Name text=auction_name />
                    </a>
                </p>
                <h1>"Import lots"</h1>
            </div>
        </header>
        <div class="book-page">
            <ImportUndone />
            <Done back=back.clone() imports=imports.clone() drafts />
            <form class="wide" method="post" action=format!("{back}/items/import/file") enctype="multipart/form-data" novalidate>
                <ErrorSummary fields=&[&[ROWS, FILE, SHEET, HEADER_ROW]] />
                <input type="hidden" name="idempotencyKey" value=key />
                <input type="hidden" name=ZONE value=zone.clone() />
                <div class="form-columns">
                    <div class="form-help">
                        <p class="hint">
                            {format!("Columns, in any order: name, description, estimate, minimum, increment, starts, ends, published{further}. {money}")}
                        </p>
                        {lots}
                        <p class="hint">{format!("Times are like 2026-05-01 18:00 or 1.5.2026 6:00 PM, in {zone}. All rows are written, or none.")}</p>
                    </div>
                    <div>
                        <TextArea field=ROWS hint="Copy from a spreadsheet, with a first line that names the columns" />
                        <FileField rows=ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML, at most 5,000 rows" />
                    </div>
                </div>
                {asks_for_dates.then(|| view! { <SelectField field=DATES options=orders() /> })}
                <TableColumns layout />
                <ImportedBefore at=before />
                <ImportActions preview="Preview" import="Import" has_errors=!errors.is_empty()>
                    <a class="button quiet" href=cancel>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <RowErrors errors />
            <Preview rows />
            <PastImportsList
                imports
                path
                effect="The lots that it created are deleted, and those that it changed are as they were, unless one of them was changed or bid on since."
            />
        </div>
    })
}

/// The readings of a date such as 1/2/2026.
fn orders() -> Vec<SelectOption> {
    let order = |value: &str, label: &str| SelectOption { value: value.to_owned(), label: label.to_owned() };
    vec![order("DMY", "1 February: the day stands first"), order("MDY", "2 January: the month stands first")]
}

/// Counts of the items that were imported just before, and the way back.
#[component]
fn Done(back: String, imports: PastImports, drafts: usize) -> impl IntoView {
    let path = format!("{back}/items/import");
    let number = |name: &str| query_part(name).and_then(|number| number.parse::<u64>().ok());
    number(CREATED).zip(number(CHANGED)).map(|(created, changed)| {
        // An import that has changed nothing is none of those that are listed.
        let new = imports.list.into_iter().next().filter(|_| created + changed > 0);
        view! {
            <p class="done" role="status">
                {format!("{} created, {changed} changed. ", count(created, "lot", "lots"))}
                <a href=back.clone()>"Show the auction"</a>
            </p>
            <Drafts drafts auction=back />
            <UndoNew import=new path />
        }
    })
}

#[component]
fn Preview(rows: Vec<ItemImportRow>) -> impl IntoView {
    let total = rows.len();
    let drafts = rows.iter().filter(|row| row.is_draft).count();
    let drafts = (drafts > 0).then(|| {
        format!(" {drafts} of them will be drafts, which bidders don’t see: a column “published” with yes shows a lot, and after the import a button shows all.")
    });
    let done = (total > 0).then(|| {
        let words = count(total as u64, "row", "rows");
        view! {
            <p class="done" role="status">
                {format!("{words} can be imported. Nothing is written yet.")} {drafts}
            </p>
        }
    });
    let line = |ItemImportRow { row, lot, name, action, .. }: ItemImportRow| {
        view! {
            <td>{row}</td>
            <td>{lot}</td>
            <td><Name text=name /></td>
            <td>{action}</td>
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    view! {
        {done}
        <PreviewTable headings=["Row", "Lot", "Name", "What happens"] lines total />
    }
}
