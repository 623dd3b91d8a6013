//! Copying an auction.

use app::bounds::MAX_TITLE_CHARS;
use app::components::field::{CheckField, Field, TextField};
use app::request::request;
use leptos::prelude::*;

const NAME: Field = Field::new("copyName", "Name of the copy", "Enter a name for the copy.");
pub(super) const FIELDS: &[Field] = &[NAME];

#[component]
pub fn Copy(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="copy">
            <h2 id="copy">"Copy"</h2>
            <p>"For the next sale: a new auction with the same settings, currencies and rules, which you own. Members, bids and dates are not copied."</p>
            <form method="post" action=format!("{path}/settings/copy") novalidate>
                <input type="hidden" name="idempotencyKey" value=request().new_key.clone() />
                <TextField field=NAME maxlength=MAX_TITLE_CHARS required=true />
                <CheckField
                    name="copyItems"
                    label="Copy the items, too"
                    hint="As drafts that you sell, without their bids and dates."
                    checked=false
                />
                <button class="button" type="submit">
                    "Copy the auction"
                </button>
            </form>
        </section>
    }
}
