//! An amount in base units.

use std::sync::Arc;

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::figures::{Figures, StaticFigures, has_long_number};
use crate::components::money::{number_of, said, unit_after};
use crate::model::BaseUnit;
use rules_engine::words::Said;

/// A changing amount: in the pieces of the auction's currency with base units beside them, or in base units
/// alone.
#[component]
pub fn Value(#[prop(into)] amount: Signal<String>, #[prop(into)] unit: Signal<BaseUnit>) -> impl IntoView {
    let class = unit.with_untracked(class);
    let words =
        Memo::new(move |_| amount.with(|amount| unit.with(|unit| words(said(amount, unit), amount, unit))));
    let text = Signal::derive(move || words.with(|(text, _)| text.clone()));
    let beside = Signal::derive(move || words.with(|(_, beside)| beside.clone()));
    view! {
        <span class=class>
            <Figures text />
            " "
            <span class="unit">
                <Figures text=beside />
            </span>
        </span>
    }
}

/// An amount, like [`Value`].
#[component]
pub fn StaticValue(amount: String, unit: BaseUnit) -> impl IntoView {
    let said = said(&amount, &unit);
    view! { <SaidValue said amount unit /> }
}

/// An amount, like [`StaticValue`], whose words are known.
#[component]
pub fn SaidValue(said: Said, amount: String, #[prop(into)] unit: Arc<BaseUnit>) -> impl IntoView {
    let class = if said.pieces.is_some() { "value in-pieces" } else { "value" };
    let (text, beside) = words(said, &amount, &unit);
    let beside = match has_long_number(&beside) {
        true => Either::Left(view! { <StaticFigures text=beside /> }),
        false => Either::Right(beside),
    };
    view! {
        <span class=class>
            <StaticFigures text />
            " "
            <span class="unit">{beside}</span>
        </span>
    }
}

fn class(unit: &BaseUnit) -> &'static str {
    if unit.written_in.is_some() { "value in-pieces" } else { "value" }
}

/// The amount, and the words that stand beside it.
fn words(said: Said, amount: &str, unit: &BaseUnit) -> (String, String) {
    match said.pieces {
        Some(pieces) => (pieces, said.base.unwrap_or_default()),
        None => (number_of(amount, unit), unit_after(amount, unit)),
    }
}
