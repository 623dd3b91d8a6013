//! `/books/{book_id}/import`: entries from a spreadsheet, with a preview that writes nothing.

use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, SelectField, TextArea, TextField, refused_value};
use app::components::import_form::{
    FILE, FileField, ImportActions, PREVIEWED_MAX, PreviewNote, PreviewTable, RowErrors,
};
use app::components::money::{StaticValue, amount_in};
use app::components::name::Name;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::past_imports::{ImportUndone, ImportedBefore, PastImportsList};
use app::components::sheet_choice::SHEET;
use app::components::table_columns::{HEADER_ROW, TableColumns};
use app::html::{Html, html};
use app::model::{BaseUnit, PastImports, SelectOption, TableLayout};
use app::request::request;
use leptos::prelude::*;

use crate::pages::books::facts::BookEntry;

/// What an import would write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPreview {
    pub book: BookEntry,
    /// The groups that the viewer keeps, whose numbers may name the people.
    pub groups: Vec<SelectOption>,
    pub rows: Vec<ImportRow>,
    /// Rows of unknown people.
    pub unknown: Vec<UnknownEntry>,
    /// Number of the rows of 0.
    pub zeros: usize,
    /// Row and what is wrong with it.
    pub errors: Vec<(String, String)>,
    pub layout: TableLayout,
    pub imports: PastImports,
    /// Sum of all rows, unless it is too large.
    pub total: Option<String>,
}

/// A row of an unknown person in an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEntry {
    pub row: usize,
    /// The e-mail, the number or the name.
    pub whom: String,
    pub amount: String,
    /// In words: what becomes of the row.
    pub effect: &'static str,
}

/// A row of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    pub row: usize,
    /// The e-mail or the number that names the person.
    pub whom: String,
    pub name: String,
    pub amount: String,
    pub reason: String,
}

/// The rows that are pasted.
pub const ROWS: Field =
    Field::new("csv", "Rows", "Paste rows below a line with the names of their columns, such as amount.");
/// The group whose numbers name the people.
pub const GROUP: Field = Field::new("groupId", "People are named by", "Choose a group that you keep.");
/// The reason of the rows without one.
pub const REASON: Field =
    Field::new("reason", "Reason for every row", "Enter at most 500 characters, or nothing.");
/// Choice for the rows of unknown people.
pub const UNKNOWN: Field =
    Field::new("unknown", "Rows of people who are not known", "Choose what becomes of these rows.");
/// The values of that field, besides the empty one.
pub const SKIP: &str = "SKIP";
pub const INVITE: &str = "INVITE";

pub fn import_page(preview: ImportPreview) -> Html {
    let layout = preview.layout.clone();
    let path = format!("/books/{}", preview.book.id);
    let asks_for_unknown = !preview.unknown.is_empty();
    let (imports, import_path) = (preview.imports.clone(), format!("{path}/import"));
    let before = imports.before;
    let (name, cancel) = (preview.book.name.clone(), path.clone());
    let has_errors = !preview.errors.is_empty();
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let groups = preview.groups.iter().map(|group| SelectOption {
        value: group.value.clone(),
        label: format!("Their number in {}", group.label),
    });
    let by_email = SelectOption { value: String::new(), label: "Their e-mail".to_owned() };
    let whom: Vec<SelectOption> = [by_email].into_iter().chain(groups).collect();
    let (choice, column) = match preview.groups.is_empty() {
        true => (None, "email"),
        false => (Some(view! { <SelectField field=GROUP options=whom /> }), "email or number"),
    };
    html(view! {
        <PageTitle text=format!("Import into {name}") />
        <PageHead back=path.clone() of=name heading="Import entries" />
        <div class="book-page">
            <ImportUndone />
            <ErrorSummary fields=&[&[GROUP, ROWS, FILE, SHEET, REASON, UNKNOWN, HEADER_ROW]] />
            <form method="post" action=format!("{path}/import") enctype="multipart/form-data" novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                {choice}
                <TextArea
                    field=ROWS
                    hint=format!("Copy from a spreadsheet, with a first line that names the columns {column}, amount and reason, in any order. Where {column} is empty, a name says whose the row is, if one person has it. A member of an auction that you manage who has no balance yet gets one. All rows are written, or none. The export of a guild’s addon is read as it is: choose below its preview which column is the amount, if it has several.")
                />
                <FileField rows=ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML with the same columns, at most 5,000 rows" />
                <TextField field=REASON hint="For the rows without a reason of their own" maxlength=500 />
                {asks_for_unknown.then(|| view! { <SelectField field=UNKNOWN options=ways() /> })}
                <TableColumns layout />
                <ImportedBefore at=before />
                <ImportActions preview="Preview" import="Import" has_errors>
                    <a class="button quiet" href=cancel>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <Preview preview />
            <PastImportsList
                imports
                path=import_path
                effect="Each of its entries is reversed, unless one of them was since. The entries stay in the list."
            />
        </div>
    })
}

fn ways() -> Vec<SelectOption> {
    let way = |value: &str, label: &str| SelectOption { value: value.to_owned(), label: label.to_owned() };
    vec![
        way("", "Nothing is imported while there are any"),
        way(SKIP, "Leave them out"),
        way(INVITE, "Invite those with an e-mail, for whom they wait 30 days, and leave out the others"),
    ]
}

/// The rows of unknown people, each with what becomes of it.
#[component]
fn Unknown(rows: Vec<UnknownEntry>, unit: BaseUnit) -> impl IntoView {
    let line = |unknown: &UnknownEntry| {
        let UnknownEntry { row, whom, amount, effect } = unknown.clone();
        view! {
            <td>{row}</td>
            <td>
                <Name text=whom />
            </td>
            <td class="ledger-amount">
                <StaticValue amount unit=unit.clone() />
            </td>
            <td>{effect}</td>
        }
        .into_any()
    };
    let lines = rows.iter().take(PREVIEWED_MAX).map(line).collect();
    let total = rows.len();
    (total > 0).then(|| {
        view! {
            <h2>"People who are not known"</h2>
            <PreviewTable
                label="People who are not known"
                headings=["Row", "Person", "Amount", "What happens"]
                lines
                total
            />
        }
    })
}

#[component]
fn Preview(preview: ImportPreview) -> impl IntoView {
    let ImportPreview { book, rows, unknown, zeros, errors, total, .. } = preview;
    let zeros = match zeros {
        0 => None,
        1 => Some("1 row of 0 writes nothing.".to_owned()),
        zeros => Some(format!("{zeros} rows of 0 write nothing.")),
    };
    let zeros = zeros.map(|words| view! { <p class="hint">{words}</p> });
    let unit = book.unit;
    let sum = total.filter(|_| errors.is_empty() && !rows.is_empty()).map(|total| {
        let words = match rows.len() {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        };
        view! {
            <PreviewNote>
                {format!("{words}, {} in all. Nothing is written yet.", amount_in(&total, &unit))}
            </PreviewNote>
        }
    });
    let shown = rows.len();
    let line = |row: ImportRow| {
        let ImportRow { row, whom, name, amount, reason } = row;
        view! {
            <td>{row}</td>
            <td>
                <Name text=name />
                <br />
                <span class="hint">{whom}</span>
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
        <Unknown rows=unknown unit=unit.clone() />
        {zeros}
        {sum}
        <PreviewTable headings=["Row", "Person", "Amount", "Reason"] lines total=shown />
    }
}
