//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::{Figures, StaticFigures};
use crate::components::money::{plural, unit_word};
use crate::model::BaseUnit;

/// A changing amount, with its unit.
#[component]
pub fn Value(#[prop(into)] amount: Signal<String>, unit: BaseUnit) -> impl IntoView {
    let (singular, plural) = (unit_word(&unit), plural(&unit_word(&unit)));
    let unit = move || amount.with(|amount| if amount == "1" { singular.clone() } else { plural.clone() });
    view! {
        <span class="value">
            <Figures text=amount />
            " "
            <span class="unit">{unit}</span>
        </span>
    }
}

/// An amount, with its unit.
#[component]
pub fn StaticValue(amount: String, unit: BaseUnit) -> impl IntoView {
    let unit = unit_word(&unit);
    let unit = if amount == "1" { unit } else { plural(&unit) };
    view! {
        <span class="value">
            <StaticFigures text=amount />
            " "
            <span class="unit">{unit}</span>
        </span>
    }
}
