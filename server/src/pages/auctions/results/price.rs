//! Prices and sums as they were bid. Their value in base units stands beside them, and is shown on request.

use crate::pages::items::sold_price::{Money, Promised};
use app::components::money::{StaticValue, base_amount, said};
use leptos::either::Either;
use leptos::prelude::*;

use super::summary::Totals;

/// What was promised in each currency, or else the sums.
#[component]
pub fn Sums(totals: Totals) -> impl IntoView {
    let sums = if totals.promised.is_empty() {
        let values =
            totals.money.into_iter().map(|Money { amount, unit }| view! { <StaticValue amount unit /> });
        Either::Left(values.collect_view())
    } else {
        let (promised, base) = (totals.promised.join(" and "), in_base(&totals.money));
        Either::Right(view! { <Promised promised base /> })
    };
    view! { <p class="results-sum">{sums}</p> }
}

/// The box that shows base units beside all prices of the page, where these are written otherwise.
#[component]
pub fn BaseUnitsToggle(total: Totals) -> impl IntoView {
    let Totals { money, promised, .. } = total;
    let unit = money.first()?.unit.noun().several().to_owned();
    let is_in_pieces = |sum: &Money| said(&sum.amount, &sum.unit).pieces.is_some();
    (!promised.is_empty() || money.iter().any(is_in_pieces)).then(|| {
        view! {
            <label class="in-base">
                <input type="checkbox" autocomplete="off" />
                {format!("Show {unit} too")}
            </label>
        }
    })
}

fn in_base(money: &[Money]) -> String {
    let sums = money.iter().map(|Money { amount, unit }| base_amount(amount, unit));
    sums.collect::<Vec<_>>().join(" and ")
}
