//! `/books/{book_id}/import`: entries from a spreadsheet, with a preview that writes nothing.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextArea, refused_value};
use crate::components::import_form::{
    FILE, FileField, IgnoredColumns, ImportActions, PREVIEWED_MAX, PreviewTable, RowErrors,
};
use crate::components::money::{StaticValue, amount_in};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{ImportPreview, ImportRow};
use crate::request::request;

/// The rows that are pasted.
pub const ROWS: Field =
    Field::new("csv", "Rows", "Paste rows below a line with the names email, amount and reason.");

pub fn import_page(preview: ImportPreview) -> Html {
    let path = format!("/books/{}", preview.book.id);
    let import = format!("{path}/import");
    let name = preview.book.name.clone();
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    html(view! {
        <PageTitle text=format!("Import into {name}") />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=name />
                    </a>
                </p>
                <h1>"Import entries"</h1>
            </div>
        </header>
        <div class="book-page">
            <ErrorSummary fields=&[&[ROWS, FILE]] />
            <form method="post" action=import.clone() novalidate>
                <input type="hidden" name="idempotencyKey" value=key.clone() />
                <TextArea
                    field=ROWS
                    hint="Copy from a spreadsheet, with a first line that names the columns email, amount and reason. A user who shares an auction with you and is no holder yet becomes one. All rows are written, or none."
                />
                <ImportActions preview="Preview" import="Import">
                    <a class="button quiet" href=path>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <form method="post" action=format!("{import}/file") enctype="multipart/form-data" novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <FileField rows=ROWS.name hint="With the same columns, at most 5,000 rows and 1 MB." />
                <ImportActions preview="Preview file" import="Import file" />
            </form>
            <Preview preview />
        </div>
    })
}

#[component]
fn Preview(preview: ImportPreview) -> impl IntoView {
    let ImportPreview { book, rows, errors, ignored_columns, total } = preview;
    let unit = book.unit;
    let sum = total.filter(|_| errors.is_empty() && !rows.is_empty()).map(|total| {
        let words = match rows.len() {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        };
        view! {
            <p class="done" role="status">
                {format!("{words}, {} in all. Nothing is written yet.", amount_in(&total, &unit))}
            </p>
        }
    });
    let shown = rows.len();
    let line = |row: ImportRow| {
        let ImportRow { row, email, name, amount, reason } = row;
        view! {
            <td>{row}</td>
            <td>
                <Name text=name />
                <br />
                <span class="hint">{email}</span>
            </td>
            <td class="ledger-amount">
                <StaticValue amount unit=unit.clone() />
            </td>
            <td>{reason}</td>
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    view! {
        <RowErrors errors />
        <IgnoredColumns names=ignored_columns />
        {sum}
        <PreviewTable headings=["Row", "Holder", "Amount", "Reason"] lines total=shown />
    }
}
