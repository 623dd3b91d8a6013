//! The fields that say how an item is sold: by open or sealed bids or by a draw, in how many copies, and at
//! which price.

use app::components::field::{Field, SelectField, TextField, field_error, field_id, field_value};
use app::model::SelectOption;
use leptos::prelude::*;

const FORMAT: Field = Field::new("format", "Bids", "Choose open or sealed bids, or a draw.");
const COPIES: Field = Field::new("copies", "Copies", "Enter a whole number from 1 to 100; with open bids 1.");
const PRICE: Field = Field::new("price", "A winner pays", "Choose a price; with open bids the own bid.");
const PLUS: Field = Field::new("plus", "Above the best losing bid", "Enter an amount of at least 0.");
const TIE: Field = Field::new("tie", "Of equal bids", "Choose who wins; with open bids the first.");
const TICKET: Field =
    Field::new("ticket", "Price of a ticket", "Enter the price of a ticket as the minimum bid, above 0.");
const PER_PERSON: Field = Field::new(
    "perPerson",
    "Tickets of one person",
    "Enter a whole number from 1 to 10,000, or leave it empty.",
);
const AGAIN: Field = Field::new("again", "After a win", "Choose what leaves the hat.");
pub const FIELDS: &[Field] = &[FORMAT, COPIES, PRICE, PLUS, TIE, TICKET, PER_PERSON, AGAIN];

/// A draw is offered where bidders pay from a book.
#[component]
pub fn FormatFields(has_book: bool) -> impl IntoView {
    let options = |choices: &[(&str, &str)]| -> Vec<SelectOption> {
        let option = |(value, label): &(&str, &str)| SelectOption {
            value: (*value).to_owned(),
            label: (*label).to_owned(),
        };
        choices.iter().map(option).collect()
    };
    let open = ("OPEN", "Open: everyone sees the highest bid");
    let sealed = ("SEALED", "Sealed: nobody sees a bid before the end");
    let draw = ("DRAW", "A draw: chance decides among tickets");
    let formats = if has_book { options(&[open, sealed, draw]) } else { options(&[open, sealed]) };
    let prices = options(&[
        ("OWN", "the own bid"),
        ("NEXT", "the best losing bid"),
        ("LOWEST", "the least winning bid"),
    ]);
    let ties =
        options(&[("EARLIEST", "the first wins"), ("ROLL", "a draw decides"), ("NOBODY", "none wins")]);
    let draws = options(&[
        ("PERSON", "all tickets of the winner leave the hat"),
        ("TICKET", "only the drawn ticket leaves the hat"),
    ]);
    // Open where it is filled in, or was refused.
    let is_chosen = |kind: &str| field_value(FORMAT.name).is_some_and(|format| format == kind);
    let is_refused = |fields: &[Field]| fields.iter().any(|field| field_error(field).is_some());
    let is_open = is_chosen("SEALED") || is_refused(&[PRICE, PLUS, TIE]);
    let is_draw_open = is_chosen("DRAW") || is_refused(&[TICKET, PER_PERSON, AGAIN]);
    let no_price = field_error(&TICKET).map(|error| view! { <p class="field-error">{error}</p> });
    let for_draws = has_book.then(|| {
        view! {
            <details open=is_draw_open>
                <summary>"For a draw: tickets"</summary>
                <div id=field_id(TICKET.name)>
                    <p class="hint">"A ticket costs what is entered as the minimum bid. Everyone pays for all of their tickets."</p>
                    {no_price}
                </div>
                <div class="field-row">
                    <TextField
                        field=PER_PERSON
                        hint="At most. Leave it empty for no limit"
                        inputmode="numeric"
                        class="amount short"
                    />
                    <SelectField field=AGAIN hint="Where several are drawn" options=draws chosen="PERSON" />
                </div>
            </details>
        }
    });
    view! {
        <fieldset class="field-group">
            <legend>"How it is sold"</legend>
            <SelectField
                field=FORMAT
                hint="It stays once the item is open. Sealed bids and tickets can be taken back until the end"
                options=formats
                chosen="OPEN"
            />
            <TextField
                field=COPIES
                hint="How many are sold by sealed bids or drawn, such as 12 seats. Leave it empty for 1"
                inputmode="numeric"
                class="amount short"
            />
            <details open=is_open>
                <summary>"For sealed bids: price and ties"</summary>
                <SelectField field=PRICE hint="Never more than the own bid" options=prices chosen="OWN" />
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
            {for_draws}
        </fieldset>
    }
}
