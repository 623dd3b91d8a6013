//! The base unit of an auction, with a form to change it.

use leptos::either::Either;
use leptos::prelude::*;

use crate::bounds::{MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS};
use crate::components::field::{TextField, refused_value};
use crate::components::money::{plural, unit_word};
use crate::model::{BaseUnit, CurrenciesPage, Filled};

/// One line that unfolds to the form. Open while the base unit has no name.
#[component]
pub fn BaseUnitLine(page: CurrenciesPage) -> impl IntoView {
    let BaseUnit { name, symbol, .. } = page.base_unit.clone();
    let named = page.base_unit != BaseUnit::default();
    let open = !named || refused_value("baseUnitName").is_some();
    let words = if named {
        format!("Every bid is compared in {}", plural(&unit_word(&page.base_unit)))
    } else {
        "Name the unit all bids are compared in".to_owned()
    };
    let can_edit = page.can_edit;
    let form = can_edit.then(|| {
        provide_context(Filled(vec![("baseUnitName".to_owned(), name), ("baseUnitSymbol".to_owned(), symbol)]));
        let action = format!("{}/currencies/base-unit", page.path());
        view! {
            <form method="post" action=action novalidate>
                <input type="hidden" name="version" value=page.auction_version />
                <div class="field-row">
                    <TextField name="baseUnitName" label="Unit name" hint="Such as Knut or Point" maxlength=MAX_UNIT_NAME_CHARS />
                    <TextField name="baseUnitSymbol" label="Unit symbol" hint="Such as pt" maxlength=MAX_UNIT_SYMBOL_CHARS class="short" />
                </div>
                <button class="button" type="submit">
                    "Save base unit"
                </button>
            </form>
        }
    });
    match form {
        Some(form) => Either::Left(view! {
            <details class="base-unit" open=open>
                <summary>{words}</summary>
                {form}
            </details>
        }),
        None => Either::Right(named.then(|| view! { <p class="base-unit">{words}</p> })),
    }
}
