//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::money::{plural, unit_word};
use crate::model::BaseUnit;

/// The figures large, the unit beside them.
#[component]
pub fn Worth(#[prop(into)] amount: Signal<String>, unit: BaseUnit) -> impl IntoView {
    let (one, many) = (unit_word(&unit), plural(&unit_word(&unit)));
    view! {
        <span class="worth">
            <Figures text=amount />
            " "
            <span class="unit">{move || amount.with(|amount| if amount == "1" { one.clone() } else { many.clone() })}</span>
        </span>
    }
}
