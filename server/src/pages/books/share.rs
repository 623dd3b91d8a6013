//! How a book shares what is spent in its auctions.

use app::components::field::{CheckField, Field, RadioField, TextField};
use leptos::prelude::*;

/// The box that lets a book share at once.
pub const AUTOMATIC: &str = "automatic";
const BUYER: Field = Field::new("buyer", "The buyer", "Choose whether the buyer gets a share.");
pub(super) const DIGITS: Field =
    Field::new("digits", "Digits after the point", "Enter a whole number from 0 to 6, such as 2.");
const REST: Field = Field::new("rest", "What can’t be split evenly", "Choose what becomes of the rest.");
pub(super) const FIELDS: &[Field] = &[BUYER, DIGITS, REST];

const BUYERS: &[(&str, &str, &str)] = &[
    ("IN", "Gets a share too", "Everyone who is present gets the same part of the price."),
    ("OUT", "Gets none", "The price is shared among the others who are present."),
];
const RESTS: &[(&str, &str, &str)] = &[
    ("KEEP", "Keep it for the next time", "Everyone gets the same."),
    (
        "SPREAD",
        "Give it out",
        "Some get one unit of the last digit more. All balances together stay the same.",
    ),
];

/// The form of what is done with what is spent.
#[component]
pub fn ShareAtOnce(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="share">
            <h2 id="share">"Sharing"</h2>
            <form method="post" action=format!("{path}/settings/share") novalidate>
                <CheckField
                    name=AUTOMATIC
                    label="Share what was spent among those present, at once"
                    hint="As soon as an item is sold, its price is given to the people who are marked as present in the auction. Another outcome takes it back and shares anew among the same people."
                    checked=false
                />
                <RadioField field=BUYER choices=BUYERS />
                <TextField
                    field=DIGITS
                    hint="Shares are rounded down to them. 0 for whole numbers."
                    inputmode="numeric"
                    class="amount short"
                />
                <RadioField field=REST choices=RESTS />
                <button class="button primary" type="submit">
                    "Save sharing"
                </button>
            </form>
        </section>
    }
}
