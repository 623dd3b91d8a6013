//! The price of a sold item as it was bid. Its value in base units stands beside it, and is shown on request.

use app::components::figures::StaticFigures;
use app::components::money::{StaticValue, base_amount};
use app::model::BaseUnit;
use leptos::either::Either;
use leptos::prelude::*;

/// An amount in base units, or in the ISO currency of a legacy item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    pub amount: String,
    pub unit: BaseUnit,
}

/// The price as it was promised, or else in base units.
#[component]
pub fn SoldPrice(price: Money, promised: Option<String>) -> impl IntoView {
    match promised {
        Some(promised) => {
            let base = base_amount(&price.amount, &price.unit);
            Either::Left(view! { <Promised promised base /> })
        }
        None => Either::Right(view! { <StaticValue amount=price.amount unit=price.unit /> }),
    }
}

#[component]
pub fn Promised(promised: String, base: String) -> impl IntoView {
    view! {
        <span class="value in-pieces">
            <StaticFigures text=promised />
            " "
            <span class="unit">
                <StaticFigures text=base />
            </span>
        </span>
    }
}
