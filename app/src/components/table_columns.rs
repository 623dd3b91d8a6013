//! The columns of a table that is imported: what is not read, and what each of them is read as.

use leptos::prelude::*;

use crate::components::field::{Field, TextField, capitalized, refused_value};
use crate::components::name::Name;
use crate::model::{TableColumn, TableLayout};

/// Name of the hidden field that names the table of the preview.
pub const PREVIEWED: &str = "previewed";
/// Name of the fields with a field and the heading of the column that is read as it.
pub const COLUMN: &str = "column";
/// Name of the value of an import that was not executed, because its preview was not seen.
pub const WITHHELD: &str = "withheld";
/// The row of the header.
pub const HEADER_ROW: Field = Field::new(
    "headerRow",
    "Row with the names of the columns",
    "Enter the number of the row that names the columns, or nothing.",
);
/// Columns for which a page has a choice.
const CHOICES_MAX: usize = 100;

/// The fields of the form that say how its table is read. Nothing before a preview.
#[component]
pub fn TableColumns(layout: TableLayout) -> impl IntoView {
    let TableLayout { previewed, passed_over, others, unread, columns, fields } = layout;
    (!previewed.is_empty()).then(|| {
        let passed_over = match passed_over {
            0 => None,
            1 => Some("Row 1 stands above the header and is passed over.".to_owned()),
            rows => Some(format!("Rows 1 to {rows} stand above the header and are passed over.")),
        };
        let others = match others {
            0 => None,
            1 => Some("1 row is of another kind, such as a bid, and is passed over.".to_owned()),
            rows => Some(format!("{rows} rows are of other kinds, such as bids, and are passed over.")),
        };
        let columns: Vec<TableColumn> = columns.into_iter().take(CHOICES_MAX).collect();
        view! {
            <input type="hidden" name=PREVIEWED value=previewed />
            <UnreadColumns unread />
            {[passed_over, others].into_iter().flatten().map(|words| view! { <p class="hint">{words}</p> }).collect_view()}
            <Choices columns fields />
            <TextField field=HEADER_ROW hint="Found by itself if this is empty" inputmode="numeric" maxlength=7 />
        }
    })
}

/// Headings of filled columns that an import does not read.
#[component]
fn UnreadColumns(unread: Vec<String>) -> impl IntoView {
    (!unread.is_empty()).then(|| {
        let (columns, them) = match unread.len() {
            1 => ("This column is not read", "it is"),
            _ => ("These columns are not read", "they are"),
        };
        let names = unread.join(", ");
        if refused_value(WITHHELD).is_some() {
            view! {
                <div class="notice" role="alert">
                    <p>{format!("{columns}: {names}")}</p>
                    <p>
                        {format!(
                            "Nothing was imported yet. Choose below what {them}, or import once more to leave {} out.",
                            if unread.len() == 1 { "it" } else { "them" },
                        )}
                    </p>
                </div>
            }
            .into_any()
        } else {
            view! { <p class="hint">{format!("{columns}: {names}")}</p> }.into_any()
        }
    })
}

/// The first rows of the table, with a choice above each column.
#[component]
fn Choices(columns: Vec<TableColumn>, fields: Vec<&'static str>) -> impl IntoView {
    (!columns.is_empty()).then(|| {
        let rows = columns.iter().map(|column| column.samples.len()).max().unwrap_or(0);
        let samples = (0..rows).map(|row| {
            let cells = columns.iter().map(|column| column.samples.get(row).cloned().unwrap_or_default());
            let cells = cells.map(|cell| view! { <td><Name text=cell /></td> });
            view! { <tr>{cells.collect_view()}</tr> }
        });
        let samples = samples.collect_view();
        let headings = columns.iter().map(|column| {
            view! { <th scope="col"><Name text=column.heading.clone() /></th> }
        });
        let headings = headings.collect_view();
        let choices =
            columns.into_iter().map(|column| view! { <td><Choice column fields=fields.clone() /></td> });
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label="Columns of the table">
                <table class="import-preview">
                    <thead>
                        <tr>{choices.collect_view()}</tr>
                        <tr>{headings}</tr>
                    </thead>
                    <tbody>{samples}</tbody>
                </table>
            </div>
        }
    })
}

/// The choice of a column: a field, or nothing.
#[component]
fn Choice(column: TableColumn, fields: Vec<&'static str>) -> impl IntoView {
    let TableColumn { heading, field: read_as, .. } = column;
    let label = format!("Read {heading} as");
    let option = |field: Option<&'static str>| {
        let words = field.map_or_else(|| "Not read".to_owned(), capitalized);
        let value = format!("{}:{heading}", field.unwrap_or_default());
        view! { <option value=value selected=field == read_as>{words}</option> }
    };
    let options = [None].into_iter().chain(fields.into_iter().map(Some)).map(option);
    view! { <select name=COLUMN aria-label=label>{options.collect_view()}</select> }
}
