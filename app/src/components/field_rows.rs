//! Rows of a form that are the entries of a list, such as the denominations of a currency. Empty rows are
//! ignored.

use leptos::prelude::*;

use crate::components::field::{Field, error_at, field_id, field_value};
use crate::request::query_part;

/// Rows of an empty form.
const ROWS_MIN: usize = 3;
/// Empty rows below the filled ones.
const SPARE_ROWS: usize = 2;
/// Rows that the button adds.
const MORE_ROWS: usize = 3;

/// Kind of input of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellInput {
    Text,
    Decimal,
    /// A box that is ticked or not.
    Tick,
}

/// A column of the rows.
#[derive(Debug, Clone, Copy)]
pub struct FieldColumn {
    /// The field of each row. Its label is part of the accessible one: `factor` in `Denomination 1: factor`.
    pub field: Field,
    /// Heading.
    pub head: &'static str,
    pub maxlength: Option<usize>,
    pub cell: CellInput,
    pub readonly: bool,
}

/// The filled rows, some empty ones, and a button that requests the page again with more of them. `field` is
/// the list.
#[component]
pub fn FieldRows(
    field: Field,
    #[prop(into)] hint: String,
    more: &'static str,
    class: &'static str,
    columns: Vec<FieldColumn>,
    max: usize,
    /// Entries can be neither added nor removed.
    #[prop(optional)]
    fixed: bool,
) -> impl IntoView {
    let requested = query_part("rows").and_then(|rows| rows.parse().ok()).unwrap_or(0);
    let is_filled = |row: &usize| {
        let value = |column: &&FieldColumn| field_value(&column.field.in_row(*row));
        columns
            .iter()
            .filter(|column| column.cell != CellInput::Tick)
            .filter_map(|column| value(&column))
            .any(|value| !value.is_empty())
    };
    let filled = (0..max).rev().find(is_filled).map_or(0, |last| last + 1);
    let rows = if fixed { filled } else { (filled + SPARE_ROWS).max(ROWS_MIN).max(requested).min(max) };
    let heads = columns.iter().map(|column| view! { <span>{column.head}</span> }).collect::<Vec<_>>();
    let entries = (0..rows).map(|row| view! { <FieldRow list=field.name row columns=columns.clone() /> });
    let entries = entries.collect::<Vec<_>>();
    view! {
        <fieldset class=format!("field-group field-rows {class}") id=field_id(field.name)>
            <legend>{field.label}</legend>
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

/// One entry, with the errors of its cells below it.
#[component]
fn FieldRow(list: &'static str, row: usize, columns: Vec<FieldColumn>) -> impl IntoView {
    let error = |column: &FieldColumn| error_at(&column.field, &column.field.in_row(row));
    let errors = columns.iter().filter_map(error).collect::<Vec<_>>().join(" ");
    let error_id = format!("{}error", field_id(&format!("{list}.{row}.")));
    let inputs = columns.into_iter().map(|column| {
        let name = column.field.in_row(row);
        let invalid = error_at(&column.field, &name).is_some();
        let (ticks, value) = (column.cell == CellInput::Tick, field_value(&name));
        view! {
            <input
                id=field_id(&name)
                type=if ticks { "checkbox" } else { "text" }
                checked=ticks && value.is_some()
                value=if ticks { Some("true".to_owned()) } else { value }
                name=name
                aria-label=column.field.label_in_row(row)
                maxlength=column.maxlength
                inputmode=(column.cell == CellInput::Decimal).then_some("decimal")
                readonly=column.readonly
                aria-invalid=invalid.then_some("true")
                aria-describedby=invalid.then(|| error_id.clone())
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
