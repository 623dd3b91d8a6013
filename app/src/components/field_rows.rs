//! Rows of a form that are the entries of a list, such as the pieces of a currency. Rows that are left empty are
//! none.

use leptos::prelude::*;

use crate::components::field::{field_id, field_value};
use crate::components::loaded::query_part;
use crate::model::Refused;

/// Rows that the form offers, at least; of those beyond the filled ones; and more by each press of the button.
const ROWS_MIN: usize = 3;
const SPARE_ROWS: usize = 2;
const MORE_ROWS: usize = 3;

/// What one cell of each row is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    /// The member of the entry.
    pub part: &'static str,
    /// Above the column.
    pub head: &'static str,
    /// What it is called in a row: `Piece 1: worth`.
    pub label: &'static str,
    pub maxlength: Option<&'static str>,
    pub decimal: bool,
    pub readonly: bool,
}

/// The filled rows, some empty ones, and a button that asks for the page again with more of them. `list` is the
/// member that the rows are entries of, `entry` what one of them is called.
#[component]
pub fn FieldRows(
    list: &'static str,
    entry: &'static str,
    legend: &'static str,
    #[prop(into)] hint: String,
    more: &'static str,
    class: &'static str,
    cells: Vec<Cell>,
    max: usize,
    /// There are as many as there are.
    #[prop(optional)]
    fixed: bool,
) -> impl IntoView {
    let asked = query_part("rows").and_then(|rows| rows.parse().ok()).unwrap_or(0);
    let is_filled = |row: &usize| {
        let value = |cell: &Cell| field_value(&cell_name(list, *row, cell.part));
        cells.iter().filter_map(value).any(|value| !value.is_empty())
    };
    let filled = (0..max).rev().find(is_filled).map_or(0, |last| last + 1);
    let rows = if fixed { filled } else { (filled + SPARE_ROWS).max(ROWS_MIN).max(asked).min(max) };
    let heads = cells.iter().map(|cell| view! { <span>{cell.head}</span> }).collect::<Vec<_>>();
    let entries = (0..rows).map(|row| view! { <FieldRow list row entry cells=cells.clone() /> });
    let entries = entries.collect::<Vec<_>>();
    view! {
        <fieldset class=format!("field-group field-rows {class}")>
            <legend>{legend}</legend>
            <p class="hint">{hint}</p>
            <div class="field-cells-head" aria-hidden="true">
                {heads}
            </div>
            {entries}
            {(!fixed && rows < max)
                .then(|| {
                    view! {
                        <button
                            class="button quiet more-rows"
                            type="submit"
                            formmethod="get"
                            name="rows"
                            value=rows + MORE_ROWS
                        >
                            {more}
                        </button>
                    }
                })}
        </fieldset>
    }
}

/// One entry, and below it what is wrong with any of its cells.
#[component]
fn FieldRow(list: &'static str, row: usize, entry: &'static str, cells: Vec<Cell>) -> impl IntoView {
    let refused = use_context::<Refused>();
    let prefix = cell_name(list, row, "");
    let errors = refused.iter().flat_map(|refused| &refused.fields);
    let errors = errors.filter(|(name, _)| name.starts_with(&prefix)).map(|(_, message)| message.as_str());
    let errors = errors.collect::<Vec<_>>().join(" ");
    let error_id = format!("{}error", field_id(&prefix));
    let number = row + 1;
    let inputs = cells.into_iter().map(|cell| {
        let name = cell_name(list, row, cell.part);
        let wrong = refused.as_ref().and_then(|refused| refused.error(&name)).is_some();
        view! {
            <input
                id=field_id(&name)
                type="text"
                value=field_value(&name)
                name=name
                aria-label=format!("{entry} {number}: {}", cell.label)
                maxlength=cell.maxlength
                inputmode=cell.decimal.then_some("decimal")
                readonly=cell.readonly
                aria-invalid=wrong.then_some("true")
                aria-describedby=wrong.then(|| error_id.clone())
            />
        }
    });
    let inputs = inputs.collect::<Vec<_>>();
    view! {
        <div class="field-cells">
            {inputs} {(!errors.is_empty()).then_some(view! { <p class="field-error" id=error_id>{errors}</p> })}
        </div>
    }
}

/// `denominations.1.factor`
pub fn cell_name(list: &str, row: usize, part: &str) -> String {
    format!("{list}.{row}.{part}")
}
