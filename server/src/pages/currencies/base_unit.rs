//! The base unit of an auction, with a form to change it.

use app::components::field::refused_value;
use app::components::unit_fields::{UNIT_NAME, UNIT_PLURAL, UNIT_SYMBOL, UnitFields};
use app::model::{BaseUnit, Filled};
use leptos::either::Either;
use leptos::prelude::*;

use super::CurrenciesPage;

/// One line that unfolds to the form. Open while the base unit has no name.
#[component]
pub fn BaseUnitLine(page: CurrenciesPage) -> impl IntoView {
    let BaseUnit { name, plural, symbol, .. } = page.base_unit.clone();
    let named = page.base_unit.is_named();
    let open = !named || refused_value(UNIT_NAME.name).is_some();
    let words = if named {
        format!("Every bid is compared in {}", page.base_unit.noun().several())
    } else {
        "Name the unit all bids are compared in".to_owned()
    };
    let can_edit = page.can_edit;
    let form = can_edit.then(|| {
        provide_context(Filled(vec![
            (UNIT_NAME.name.to_owned(), name),
            (UNIT_PLURAL.name.to_owned(), plural.unwrap_or_default()),
            (UNIT_SYMBOL.name.to_owned(), symbol),
        ]));
        let action = format!("{}/currencies/base-unit", page.path());
        view! {
            <form method="post" action=action novalidate>
                <input type="hidden" name="version" value=page.auction_version />
                <UnitFields name_hint="Such as Knut or Point" symbol_hint="Such as pt" />
                <button class="button" type="submit">
                    "Save the unit"
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
