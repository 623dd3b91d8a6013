//! The fields that say how an item is sold: by open or sealed bids, in how many copies, and at which price.

use leptos::prelude::*;

use crate::components::field::{Field, SelectField, TextField, field_error, field_value};
use crate::model::SelectOption;

const FORMAT: Field = Field::new("format", "Bids", "Choose open or sealed bids.");
const COPIES: Field = Field::new("copies", "Copies", "Enter a whole number from 1 to 100; with open bids 1.");
const PRICE: Field = Field::new("price", "A winner pays", "Choose a price; with open bids the own bid.");
const PLUS: Field = Field::new("plus", "Above the best losing bid", "Enter an amount of at least 0.");
const TIE: Field = Field::new("tie", "Of equal bids", "Choose who wins; with open bids the first.");
pub const FIELDS: &[Field] = &[FORMAT, COPIES, PRICE, PLUS, TIE];

#[component]
pub fn FormatFields() -> impl IntoView {
    let options = |choices: &[(&str, &str)]| -> Vec<SelectOption> {
        let option = |(value, label): &(&str, &str)| SelectOption {
            value: (*value).to_owned(),
            label: (*label).to_owned(),
        };
        choices.iter().map(option).collect()
    };
    let formats = options(&[
        ("OPEN", "Open: everyone sees the highest bid"),
        ("SEALED", "Sealed: nobody sees a bid before the end"),
    ]);
    let prices = options(&[
        ("OWN", "the own bid"),
        ("NEXT", "the best losing bid"),
        ("LOWEST", "the least winning bid"),
    ]);
    let ties =
        options(&[("EARLIEST", "the first wins"), ("ROLL", "a draw decides"), ("NOBODY", "none wins")]);
    // Open where it is filled in, or was refused.
    let sealed = [COPIES, PRICE, PLUS, TIE];
    let is_filled = field_value(FORMAT.name).is_some_and(|format| format == "SEALED");
    let is_open = is_filled || sealed.iter().any(|field| field_error(field).is_some());
    view! {
        <fieldset class="field-group">
            <legend>"How it is sold"</legend>
            <SelectField
                field=FORMAT
                hint="It stays once the item is open. Sealed bids can be changed and taken back until the end"
                options=formats
                chosen="OPEN"
            />
            <details open=is_open>
                <summary>"For sealed bids: copies, price and ties"</summary>
                <div class="field-row">
                    <TextField
                        field=COPIES
                        hint="How many there are, such as 12 seats. Leave it empty for 1"
                        inputmode="numeric"
                        class="amount short"
                    />
                    <SelectField field=PRICE hint="Never more than the own bid" options=prices chosen="OWN" />
                </div>
                <div class="field-row">
                    <TextField
                        field=PLUS
                        hint="Where the best losing bid is paid. Leave it empty for nothing"
                        class="amount short"
                    />
                    <SelectField
                        field=TIE
                        hint="Where there are too few copies for all of them"
                        options=ties
                        chosen="EARLIEST"
                    />
                </div>
            </details>
        </fieldset>
    }
}
