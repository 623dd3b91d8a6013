//! `/books/{book_id}/import`: entries from a spreadsheet, with a preview that writes nothing.

use leptos::prelude::*;

use crate::components::description_field::PREVIEW;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextArea, capitalized, field_error, field_id, refused_value};
use crate::components::money::{StaticValue, amount_in};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{ImportPreview, ImportRow};
use crate::request::request;

/// The rows that are pasted.
pub const ROWS: Field = Field::new("csv", "Rows", "Paste rows below the header email,amount,reason.");
pub const FILE: Field = Field::new("file", "Or a CSV file", "Choose a file.").called("the file");
/// The rows of the file of a preview, which no field shows.
pub const FILE_ROWS: &str = "fileRows";
/// Rows of a preview that are shown.
const SHOWN_MAX: usize = 200;

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
                    hint="Paste from a spreadsheet saved as CSV. The first line is email,amount,reason. A user who shares an auction with you and is no holder yet becomes one. All rows are written, or none."
                />
                <Actions preview="Preview" import="Import">
                    <a class="button quiet" href=path>
                        "Cancel"
                    </a>
                </Actions>
            </form>
            <FileForm action=format!("{import}/file") key />
            <Preview preview />
        </div>
    })
}

#[component]
fn FileForm(action: String, key: String) -> impl IntoView {
    let id = field_id(FILE.name);
    let (hint, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let error = field_error(&FILE);
    let described_by = if error.is_some() { format!("{hint} {error_id}") } else { hint.clone() };
    let invalid = error.as_ref().map(|_| "true");
    let error = error.map(|error| view! { <p class="field-error" id=error_id>{error}</p> });
    // Only the browser has the file: a page can't choose it again.
    let again = refused_value(FILE_ROWS).is_some() && refused_value(ROWS.name).is_none();
    let again = again.then(|| view! { <p class="hint">"Choose the file again to import it."</p> });
    view! {
        <form method="post" action=action enctype="multipart/form-data" novalidate>
            <input type="hidden" name="idempotencyKey" value=key />
            <div class="field">
                <label for=id.clone()>{FILE.label}</label>
                <p class="field-hint" id=hint>"With the same columns, at most 5,000 rows and 1 MB."</p>
                {error}
                <input
                    id=id
                    type="file"
                    name=FILE.name
                    accept=".csv,text/csv"
                    aria-describedby=described_by
                    aria-invalid=invalid
                />
                {again}
            </div>
            <Actions preview="Preview file" import="Import file" />
        </form>
    }
}

/// The buttons of a form, by their words, and further actions.
#[component]
fn Actions(
    preview: &'static str,
    import: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="actions">
            <button class="button" type="submit" name=PREVIEW value="true">
                {preview}
            </button>
            <button class="button primary" type="submit">
                {import}
            </button>
            {children.map(|children| children())}
        </div>
    }
}

#[component]
fn Preview(preview: ImportPreview) -> impl IntoView {
    let ImportPreview { book, rows, errors, total } = preview;
    let unit = book.unit;
    let errors_list = (!errors.is_empty()).then(|| {
        let lines = errors.iter().map(|(row, message)| {
            view! { <li>{format!("{}: {message}", capitalized(row))}</li> }
        });
        view! {
            <div class="notice" role="status">
                <p>"Nothing can be imported until these rows are right:"</p>
                <ul>{lines.collect_view()}</ul>
            </div>
        }
    });
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
    let hidden = rows.len().saturating_sub(SHOWN_MAX);
    let more = (hidden > 0).then(|| view! { <p class="hint">{format!("And {hidden} more rows.")}</p> });
    let table = (!rows.is_empty()).then(|| {
        let lines = rows.into_iter().take(SHOWN_MAX).map(|row| {
            let ImportRow { row, email, name, amount, reason } = row;
            view! {
                <tr>
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
                </tr>
            }
        });
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label="Preview">
                <table class="import-preview">
                    <thead>
                        <tr>
                            <th scope="col">"Row"</th>
                            <th scope="col">"Holder"</th>
                            <th scope="col">"Amount"</th>
                            <th scope="col">"Reason"</th>
                        </tr>
                    </thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
            </div>
            {more}
        }
    });
    view! {
        {errors_list}
        {sum}
        {table}
    }
}
