//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::{Figures, StillFigures};
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

/// An amount that stays as it is.
#[component]
pub fn StillWorth(amount: String, unit: BaseUnit) -> impl IntoView {
    let unit = unit_word(&unit);
    let unit = if amount == "1" { unit } else { plural(&unit) };
    view! {
        <span class="worth">
            <StillFigures text=amount />
            " "
            <span class="unit">{unit}</span>
        </span>
    }
}
