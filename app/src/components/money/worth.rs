//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::money::unit_word;
use crate::model::BaseUnit;

/// The figures large, the unit beside them.
#[component]
pub fn Worth(#[prop(into)] amount: Signal<String>, unit: BaseUnit) -> impl IntoView {
    view! {
        <span class="worth">
            <Figures text=amount />
            " "
            <span class="unit">{unit_word(&unit)}</span>
        </span>
    }
}
