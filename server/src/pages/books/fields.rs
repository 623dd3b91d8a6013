//! The fields of a book, for the forms that create and change it.

use app::bounds::MAX_TITLE_CHARS;
use app::components::field::{Field, RadioField, TextField};
use app::components::unit_fields::UnitFields;
use leptos::prelude::*;

const NAME: Field = Field::new("name", "Name", "Enter a name for the balances.");
const STARTING_BALANCE: Field = Field::new(
    "startingBalance",
    "Starting balance",
    "Enter the starting balance as a number from 0, such as 300.",
);
const CREDIT_LIMIT: Field =
    Field::new("creditLimit", "Credit", "Enter the credit as a number from 0, such as 50.");
const VISIBILITY: Field =
    Field::new("visibility", "Who sees them", "Choose who sees the balances.").called("who sees balances");
pub(super) const FIELDS: &[Field] = &[NAME, STARTING_BALANCE, CREDIT_LIMIT, VISIBILITY];

/// Value, label and sentence of a radio button.
const VISIBILITIES: &[(&str, &str, &str)] = &[
    ("PRIVATE", "Private", "People see their own balance only. The owner and the helpers see all."),
    ("MEMBERS", "Shown to all", "Everyone with a balance sees the balances of all."),
];

#[component]
pub fn BookFields() -> impl IntoView {
    view! {
        <TextField field=NAME hint="Such as Class 4b, or Raid points" maxlength=MAX_TITLE_CHARS required=true />
        <fieldset class="field-group">
            <legend>"Unit"</legend>
            <p class="hint">"What is counted, also in the auctions that use these balances."</p>
            <UnitFields name_hint="Such as Ticket or Point" symbol_hint="Such as T or pt" required=true />
        </fieldset>
        <TextField
            field=STARTING_BALANCE
            hint="Given to everyone who joins, once. Leave it empty to give nothing."
            inputmode="decimal"
            class="amount short"
        />
        <TextField
            field=CREDIT_LIMIT
            hint="How much a person may bid beyond the balance. Leave it empty for none."
            inputmode="decimal"
            class="amount short"
        />
        <RadioField field=VISIBILITY choices=VISIBILITIES />
    }
}
