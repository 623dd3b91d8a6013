//! The choice of a sheet, for a form whose file was a spreadsheet with several, or of a list.

use leptos::prelude::*;

use crate::components::field::{Field, SelectField, refused_value, refused_values};
use crate::model::SelectOption;

/// Name of the sheet that is read.
pub const SHEET: Field = Field::new("sheet", "Sheet", "Choose a sheet of the file.");
/// Name of the hidden fields with the names of the sheets.
pub const SHEETS: &str = "sheets";
/// Name of the hidden field with the sheet that the preview shows.
pub const SHOWN_SHEET: &str = "shownSheet";

/// Nothing for a file with one sheet, and before a preview.
#[component]
pub fn SheetChoice() -> impl IntoView {
    let names = refused_values(SHEETS);
    (!names.is_empty()).then(|| {
        let first = SelectOption { value: String::new(), label: "The first one with the columns".to_owned() };
        let named = names.iter().map(|name| SelectOption { value: name.clone(), label: name.clone() });
        let options: Vec<SelectOption> = [first].into_iter().chain(named).collect();
        let hidden = names.into_iter().map(|name| view! { <input type="hidden" name=SHEETS value=name /> });
        let hidden = hidden.collect_view();
        let shown = refused_value(SHEET.name).unwrap_or_default();
        view! {
            <input type="hidden" name=SHOWN_SHEET value=shown />
            {hidden}
            <SelectField field=SHEET hint="Or a list of a JSON or XML file. For another one choose the file again" options />
        }
    })
}
