//! An amount in base units.

use leptos::prelude::*;

use crate::components::figures::{Figures, StaticFigures};
use crate::components::money::{base_amount, number_of, pieces_of, unit_after};
use crate::model::BaseUnit;

/// A changing amount: in the pieces of the auction's currency with base units beside them, or in base units
/// alone.
#[component]
pub fn Value(#[prop(into)] amount: Signal<String>, unit: BaseUnit) -> impl IntoView {
    let words = Memo::new(move |_| amount.with(|amount| words(amount, &unit)));
    let text = Signal::derive(move || words.with(|(text, _)| text.clone()));
    let beside = Signal::derive(move || words.with(|(_, beside)| beside.clone()));
    view! {
        <span class="value">
            <Figures text />
            " "
            <span class="unit">{beside}</span>
        </span>
    }
}

/// An amount, like [`Value`].
#[component]
pub fn StaticValue(amount: String, unit: BaseUnit) -> impl IntoView {
    let (text, beside) = words(&amount, &unit);
    view! {
        <span class="value">
            <StaticFigures text />
            " "
            <span class="unit">{beside}</span>
        </span>
    }
}

/// What is large, and what stands beside it.
fn words(amount: &str, unit: &BaseUnit) -> (String, String) {
    match pieces_of(amount, unit) {
        Some(pieces) => (pieces, base_amount(amount, unit)),
        None => (number_of(amount, unit), unit_after(amount, unit)),
    }
}
