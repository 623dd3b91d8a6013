//! `/groups/{group_id}/import`: people from a spreadsheet, with a preview that writes nothing.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextArea, refused_value};
use crate::components::import_form::{
    FILE, FileField, ImportActions, PREVIEWED_MAX, PreviewTable, RowErrors,
};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::past_imports::{ImportUndone, ImportedBefore, PastImportsList};
use crate::components::sheet_choice::SHEET;
use crate::components::table_columns::{HEADER_ROW, TableColumns};
use crate::html::{Html, html};
use crate::model::{PeopleImport, PlannedPerson};
use crate::request::request;

/// The rows that are pasted.
pub const ROWS: Field = Field::new("csv", "Rows", "Paste rows below the header number,name,pin.");

pub fn import_people_page(page: PeopleImport) -> Html {
    let layout = page.layout.clone();
    let path = format!("/groups/{}", page.group.id);
    let (imports, import_path) = (page.imports.clone(), format!("{path}/import"));
    let before = imports.before;
    let (name, cancel) = (page.group.name.clone(), path.clone());
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
                <h1>"Import people"</h1>
            </div>
        </header>
        <div class="group-page">
            <ImportUndone />
            <ErrorSummary fields=&[&[ROWS, FILE, SHEET, HEADER_ROW]] />
            <form method="post" action=format!("{path}/import") enctype="multipart/form-data" novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <TextArea
                    field=ROWS
                    hint="Copy from a spreadsheet, with the columns number, name and pin in any order; other columns are shown before they are left out. A row without a number is of the person with its name, if one has it; a new person gets the next free one, without a PIN a new one. A number that somebody has changes that person. All rows are written, or none."
                />
                <FileField rows=ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML with the same columns, at most 2,000 rows" />
                <TableColumns layout />
                <ImportedBefore at=before />
                <ImportActions preview="Preview" import="Import and show the cards" has_errors=!page.errors.is_empty()>
                    <a class="button quiet" href=cancel>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <Preview page />
            <PastImportsList
                imports
                path=import_path
                effect="The people whom it added are removed, and those whom it renamed have their names back, unless one of them was changed, has signed in or bid since. PINs that it set stay."
            />
        </div>
    })
}

#[component]
fn Preview(page: PeopleImport) -> impl IntoView {
    let PeopleImport { rows, errors, .. } = page;
    let total = rows.len();
    let line = |planned: PlannedPerson| {
        let PlannedPerson { row, number, name, action } = planned;
        view! {
            <td>{row}</td>
            <td>{number}</td>
            <td><Name text=name /></td>
            <td>{action}</td>
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    view! {
        <RowErrors errors />
        {(total > 0).then(|| view! { <p class="done" role="status">"Nothing is written yet."</p> })}
        <PreviewTable headings=["Row", "Number", "Name", "What happens"] lines total />
    }
}
