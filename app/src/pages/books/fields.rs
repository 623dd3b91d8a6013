//! The fields of a book, for the forms that create and change it.

use leptos::prelude::*;

use crate::bounds::{MAX_TITLE_CHARS, MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS};
use crate::components::field::{RadioField, TextField};

/// Value, label and sentence of a radio button.
const VISIBILITIES: &[(&str, &str, &str)] = &[
    ("PRIVATE", "Private", "Holders see their own balance only. The owner and the tellers see all."),
    ("MEMBERS", "Shown to holders", "Every holder sees the balances of all holders."),
];

#[component]
pub fn BookFields() -> impl IntoView {
    view! {
        <TextField name="name" label="Name" hint="Such as Class 4b, or Raid points" maxlength=MAX_TITLE_CHARS required=true />
        <fieldset class="field-group">
            <legend>"Unit"</legend>
            <p class="hint">"What the book counts. It is the base unit of its auctions."</p>
            <div class="field-row">
                <TextField
                    name="baseUnitName"
                    label="Unit name"
                    hint="Such as Ticket or Point"
                    maxlength=MAX_UNIT_NAME_CHARS
                    required=true
                />
                <TextField
                    name="baseUnitSymbol"
                    label="Unit symbol"
                    hint="Such as T or pt"
                    maxlength=MAX_UNIT_SYMBOL_CHARS
                    class="short"
                />
            </div>
        </fieldset>
        <TextField
            name="startingBalance"
            label="Starting balance"
            hint="Granted to everyone who joins, once. Leave it empty to grant nothing."
            inputmode="decimal"
            class="amount short"
        />
        <TextField
            name="creditLimit"
            label="Credit"
            hint="How much a holder may bid beyond the balance. Leave it empty for none."
            inputmode="decimal"
            class="amount short"
        />
        <RadioField name="visibility" legend="Balances" choices=VISIBILITIES />
    }
}
