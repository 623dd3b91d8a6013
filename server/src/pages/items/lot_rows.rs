//! Rows of a form for several new lots. Empty rows are ignored.

use app::assets::BuiltFile;
use app::bounds::MAX_TITLE_CHARS;
use app::components::field::{Field, error_at, field_id, field_value};
use app::components::moment_field::zone_field;
use app::components::picture_field::ACCEPTED;
use app::request::request;
use app::scripts::LoadScript;
use leptos::prelude::*;

const NAME: Field = Field::cell("Lot", "lots.*.name", "Name", "Enter a name.").called("the name");
const MINIMUM: Field = Field::cell(
    "Lot",
    "lots.*.minimum",
    "Minimum",
    "Enter the minimum as a number above 0, or leave it empty.",
);
const STARTS: Field =
    Field::cell("Lot", "lots.*.startsAt", "Start", "Enter a date and a time, or leave it empty.")
        .too_late("It must start before it ends.");
const ENDS: Field =
    Field::cell("Lot", "lots.*.endDate", "End", "Enter a date and a time, or leave it empty.")
        .too_late("It can’t end after its auction: choose an earlier end.");
const DESCRIPTION: Field =
    Field::cell("Lot", "lots.*.description", "Description", "Shorten the description.");
const PICTURES: Field = Field::cell("Lot", "lots.*.pictures", "Pictures", "Choose pictures.");
/// The fields of the rows.
pub const LOT_FIELDS: &[Field] = &[NAME, MINIMUM, STARTS, ENDS, DESCRIPTION];

/// Columns beside name and minimum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LotColumns {
    pub times: bool,
    pub description: bool,
    /// For a script: without it no pictures are sent with the rows.
    pub pictures: bool,
}

#[component]
pub fn LotRows(rows: usize, columns: LotColumns) -> impl IntoView {
    let lots = (0..rows).map(|row| view! { <LotRow row columns /> }).collect::<Vec<_>>();
    let class = if columns.times { "lots with-times" } else { "lots" };
    view! { <div class=class>{lots}</div> }
}

/// The row of a new lot.
#[component]
pub fn LotRow(row: usize, columns: LotColumns) -> impl IntoView {
    let LotColumns { times, description, pictures } = columns;
    let times = times.then(|| {
        view! {
            <MomentCell field=STARTS row />
            <MomentCell field=ENDS row />
        }
    });
    let pictures = pictures.then(|| {
        let id = field_id(&PICTURES.in_row(row));
        view! {
            <div class="field lot-pictures" hidden>
                <label for=id.clone()>{PICTURES.label} <OfLot row /></label>
                <input id=id type="file" accept=ACCEPTED multiple />
            </div>
            <p class="lot-state" aria-live="polite"></p>
        }
    });
    view! {
        <div class="lot" role="group" aria-label=lot(row)>
            <Cell field=NAME row maxlength=MAX_TITLE_CHARS />
            <Cell field=MINIMUM row class="amount" />
            {times}
            {description.then(|| view! { <Cell field=DESCRIPTION row /> })}
            {pictures}
        </div>
    }
}

fn lot(row: usize) -> String {
    format!("Lot {}", row.saturating_add(1))
}

/// The number of the row in a label, for screen readers.
#[component]
fn OfLot(row: usize) -> impl IntoView {
    view! { <span class="visually-hidden">{format!(" of {}", lot(row).to_ascii_lowercase())}</span> }
}

/// A cell with its label and, if it is invalid, what is wrong with it.
#[component]
fn Cell(
    field: Field,
    row: usize,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] maxlength: Option<usize>,
    #[prop(optional)] class: Option<&'static str>,
) -> impl IntoView {
    let name = field.in_row(row);
    let id = field_id(&name);
    let error = error_at(&field, &name);
    let error_id = format!("{id}-error");
    let (invalid, described_by) = error.as_ref().map(|_| ("true", error_id.clone())).unzip();
    let class_of_field = if error.is_some() { "field invalid" } else { "field" };
    view! {
        <div class=class_of_field>
            <label for=id.clone()>{field.label} <OfLot row /></label>
            <input
                id=id
                name=name.clone()
                class=class
                type=kind
                value=field_value(&name)
                maxlength=maxlength
                autocomplete="off"
                aria-invalid=invalid
                aria-describedby=described_by
            />
            {error.map(|error| view! { <p class="field-error" id=error_id>{error}</p> })}
        </div>
    }
}

/// A date and a time in the viewer's time zone.
#[component]
fn MomentCell(field: Field, row: usize) -> impl IntoView {
    let zone = zone_field(&field.in_row(row));
    let value = field_value(&zone).unwrap_or_else(|| request().zone.name.clone());
    view! {
        <LoadScript script=BuiltFile::FromNowScript />
        <Cell field row kind="datetime-local" />
        <input type="hidden" name=zone value=value />
    }
}
