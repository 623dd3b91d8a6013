//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::{Figures, StaticFigures};
use crate::components::money::{number_of, unit_after};
use crate::model::BaseUnit;

/// A changing amount, with its unit.
#[component]
pub fn Value(#[prop(into)] amount: Signal<String>, unit: BaseUnit) -> impl IntoView {
    let written = unit.clone();
    let text = Signal::derive(move || amount.with(|amount| number_of(amount, &written)));
    let unit = Signal::derive(move || amount.with(|amount| unit_after(amount, &unit)));
    view! {
        <span class="value">
            <Figures text />
            " "
            <span class="unit">{unit}</span>
        </span>
    }
}

/// An amount, with its unit.
#[component]
pub fn StaticValue(amount: String, unit: BaseUnit) -> impl IntoView {
    view! {
        <span class="value">
            <StaticFigures text=number_of(&amount, &unit) />
            " "
            <span class="unit">{unit_after(&amount, &unit)}</span>
        </span>
    }
}
