//! Forms that import a table, with a preview that writes nothing.

use leptos::prelude::*;

use crate::components::description_field::PREVIEW;
use crate::components::field::{Field, capitalized, field_error, field_id, refused_value};
use crate::components::sheet_choice::SheetChoice;
use crate::request::request;

pub const FILE: Field = Field::new("file", "Or a file", "Choose a file.").called("the file");
/// Name of the button that asks for the wrong rows as a file. Its value is the dialect of the file.
pub const WRONG_ROWS: &str = "wrongRows";
/// The rows of the file of a preview, which no field shows.
pub const FILE_ROWS: &str = "fileRows";

/// The field for a file.
#[component]
pub fn FileField(
    /// Name of the field for pasted rows.
    rows: &'static str,
    hint: &'static str,
) -> impl IntoView {
    let id = field_id(FILE.name);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let error = field_error(&FILE);
    let described_by = if error.is_some() { format!("{hint_id} {error_id}") } else { hint_id.clone() };
    let invalid = error.as_ref().map(|_| "true");
    let error = error.map(|error| view! { <p class="field-error" id=error_id>{error}</p> });
    // Only the browser has the file: a page can't choose it again.
    let again = refused_value(FILE_ROWS).is_some() && refused_value(rows).is_none();
    let again = again.then(|| view! { <p class="hint">"Choose the file again to import it."</p> });
    view! {
        <div class="field">
            <label for=id.clone()>{FILE.label}</label>
            <p class="hint" id=hint_id>{hint}</p>
            {error}
            <input
                id=id
                type="file"
                name=FILE.name
                accept=".xlsx,.ods,.csv,.tsv,.txt,.json,.xml,.lua,text/csv,text/plain,application/json,text/xml"
                aria-describedby=described_by
                aria-invalid=invalid
            />
            {again}
        </div>
        <SheetChoice />
    }
}

/// The buttons of a form, by their words, and further actions.
#[component]
pub fn ImportActions(
    preview: &'static str,
    import: &'static str,
    /// The preview has wrong rows.
    #[prop(optional)]
    has_errors: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let dialect = if request().has_decimal_comma { "semicolon" } else { "comma" };
    let wrong_rows = has_errors.then(|| {
        view! {
            <button class="button" type="submit" name=WRONG_ROWS value=dialect>
                "Download the wrong rows"
            </button>
        }
    });
    view! {
        <div class="actions">
            <button class="button" type="submit" name=PREVIEW value="true">
                {preview}
            </button>
            <button class="button primary" type="submit">
                {import}
            </button>
            {wrong_rows}
            {children.map(|children| children())}
        </div>
    }
}

/// Rows of a preview that are wrong: each with its path and what is wrong with it.
#[component]
pub fn RowErrors(errors: Vec<(String, String)>) -> impl IntoView {
    (!errors.is_empty()).then(|| {
        let lines = errors.iter().map(|(row, message)| {
            view! { <li>{format!("{}: {message}", capitalized(row))}</li> }
        });
        view! {
            <div class="notice" role="status" tabindex="-1" autofocus>
                <p>"Nothing can be imported until these rows are right:"</p>
                <ul>{lines.collect_view()}</ul>
            </div>
        }
    })
}

/// Summary of a preview. It stands below the form, and takes the focus, so that the page opens there.
#[component]
pub fn PreviewNote(children: Children) -> impl IntoView {
    view! {
        <p class="done" role="status" tabindex="-1" autofocus>
            {children()}
        </p>
    }
}

/// Rows of a preview that are shown.
pub const PREVIEWED_MAX: usize = 200;

/// The table of a preview. `lines` are the cells of its first rows, of `total`.
#[component]
pub fn PreviewTable(
    #[prop(default = "Preview")] label: &'static str,
    headings: [&'static str; 4],
    lines: Vec<AnyView>,
    total: usize,
) -> impl IntoView {
    let more = total.saturating_sub(lines.len());
    (total > 0).then(|| {
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label=label>
                <table class="import-preview">
                    <thead>
                        <tr>{headings.map(|heading| view! { <th scope="col">{heading}</th> }).to_vec()}</tr>
                    </thead>
                    <tbody>{lines.into_iter().map(|cells| view! { <tr>{cells}</tr> }).collect_view()}</tbody>
                </table>
            </div>
            {(more > 0).then(|| view! { <p class="hint">{format!("And {more} more rows.")}</p> })}
        }
    })
}
