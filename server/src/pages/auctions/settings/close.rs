//! Closing an auction, confirmed by a box: it never opens again.

use app::components::field::{CheckField, Field};
use leptos::prelude::*;

pub(super) const CLOSED_FOR_GOOD: Field = Field::new(
    "closedForGood",
    "Yes, end bidding on every item",
    "Tick the box to close the auction: it never opens again.",
);
pub(super) const FIELDS: &[Field] = &[CLOSED_FOR_GOOD];

#[component]
pub fn Close(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="close">
            <h2 id="close">"Close"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/close") novalidate>
                <p>"Bidding ends at once on every item, and the highest bid on each of them wins."</p>
                <CheckField
                    name=CLOSED_FOR_GOOD.name
                    label=CLOSED_FOR_GOOD.label
                    hint="A closed auction never opens again."
                    checked=false
                />
                <button class="button" type="submit">
                    "Close the auction now"
                </button>
            </form>
        </section>
    }
}
