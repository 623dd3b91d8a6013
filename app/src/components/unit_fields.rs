//! The fields of a base unit, for the forms of auctions and of books.

use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::bounds::{MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS};
use crate::components::field::{Field, TextField};
use crate::scripts::LoadScript;

pub const UNIT_NAME: Field =
    Field::new("baseUnitName", "Unit name", "Enter the name of the unit, such as Knut.");
pub const UNIT_PLURAL: Field = Field::new(
    "baseUnitPlural",
    "Several of them",
    "Enter the name of several, such as Knuts, or leave it empty.",
);
pub const UNIT_SYMBOL: Field =
    Field::new("baseUnitSymbol", "Unit symbol", "Enter a symbol, such as pt, or leave it empty.");
pub const UNIT: &[Field] = &[UNIT_NAME, UNIT_PLURAL, UNIT_SYMBOL];

#[component]
pub fn UnitFields(
    name_hint: &'static str,
    symbol_hint: &'static str,
    #[prop(optional)] required: bool,
) -> impl IntoView {
    view! {
        <LoadScript script=BuiltFile::PluralsScript />
        <div class="field-row">
            <TextField field=UNIT_NAME hint=name_hint maxlength=MAX_UNIT_NAME_CHARS required />
            <TextField field=UNIT_PLURAL hint="As in “12 of them”; empty: the same word" maxlength=MAX_UNIT_NAME_CHARS />
            <TextField field=UNIT_SYMBOL hint=symbol_hint maxlength=MAX_UNIT_SYMBOL_CHARS class="short" />
        </div>
    }
}
