//! Links to the files of an export.

use leptos::prelude::*;

use crate::request::request;

/// Links to a table as CSV, in the dialect that spreadsheets of the viewer's locale open, and as a workbook.
#[component]
pub fn ExportLinks(
    /// Address of the export.
    path: String,
    csv: &'static str,
    xlsx: &'static str,
) -> impl IntoView {
    let dialect = if request().has_decimal_comma { "&dialect=semicolon" } else { "" };
    view! {
        <a class="button quiet" href=format!("{path}?format=csv{dialect}") download="">
            {csv}
        </a>
        <a class="button quiet" href=format!("{path}?format=xlsx") download="">
            {xlsx}
        </a>
    }
}
