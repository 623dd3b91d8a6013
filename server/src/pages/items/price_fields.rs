//! The fields of the price of an item.

use app::components::field::{Field, SelectField, TextField, field_error, field_id, field_value};
use app::islands::items::form_state::field_name;
use app::model::{BaseUnit, BidCurrency, Noun, SelectOption};
use leptos::either::Either;
use leptos::prelude::*;

const ISO_CURRENCY: Field = Field::new("currencyCode", "Currency", "Choose a currency of the list.");
const STARTING_BID: Field = Field::new(
    "startingBid",
    "Starting bid",
    "Enter the starting bid as a number above 0, or leave it empty.",
);
const ISO_INCREMENT: Field = Field { name: "minBidIncrement", ..INCREMENT };
/// The currency in which the minimum is entered.
const CURRENCY: Field = Field::new("currency", "Currency", "Choose a currency of the list.");
const MINIMUM: Field =
    Field::new("minBidConstraint", "Minimum bid", "Enter the minimum bid as numbers, or leave it empty.");
const INCREMENT: Field = Field::new(
    "minIncrementNormalized",
    "Minimum increment",
    "Enter the minimum increment as a number above 0, such as 5 or 0.5.",
);
pub const FIELDS: &[Field] = &[ISO_CURRENCY, STARTING_BID, ISO_INCREMENT, CURRENCY, MINIMUM, INCREMENT];

#[component]
pub fn LegacyPrice(currencies: Vec<SelectOption>) -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Price"</legend>
            <SelectField field=ISO_CURRENCY options=currencies chosen="EUR" />
            <div class="field-row">
                <TextField field=STARTING_BID hint="Leave empty to accept any first bid" inputmode="decimal" class="amount" />
                <TextField
                    field=ISO_INCREMENT
                    hint="Leave empty to accept any higher bid"
                    inputmode="decimal"
                    class="amount"
                />
            </div>
        </fieldset>
    }
}

/// Price terms in the auction's currencies. The minimum is entered like a bid.
#[component]
pub fn OwnPrice(currencies: Vec<BidCurrency>, selected: usize, unit: BaseUnit) -> impl IntoView {
    let requested = field_value("currency");
    let named = currencies.iter().position(|currency| currency.profile_id == requested);
    let at = named.filter(|_| requested.is_some()).unwrap_or(selected);
    let choices: Vec<_> = currencies
        .iter()
        .map(|currency| SelectOption {
            value: currency.profile_id.clone().unwrap_or_default(),
            label: currency.name.clone(),
        })
        .collect();
    let chosen = choices.get(at).map(|choice| choice.value.clone()).unwrap_or_default();
    let several = choices.len() > 1;
    let fields = currencies.into_iter().nth(at).map(|currency| view! { <MinimumFields currency /> });
    let error = field_error(&MINIMUM);
    let choice = if several {
        Either::Left(view! {
            <div class="choice-row">
                <SelectField field=CURRENCY options=choices chosen=chosen.clone() />
                <button class="button quiet" type="submit" formmethod="get">
                    "Show"
                </button>
            </div>
        })
    } else {
        Either::Right(view! { <input type="hidden" name="currency" value=chosen.clone() /> })
    };
    let hint = format!("In {}. Leave empty to accept any higher bid", unit.asked());
    view! {
        <fieldset class="field-group" id=field_id(MINIMUM.name)>
            <legend>{MINIMUM.label}</legend>
            <p class="hint">"Leave empty to accept any first bid. In a draw it is the price of one ticket."</p>
            {error.map(|error| view! { <p class="field-error">{error}</p> })}
            {choice}
            // The currency of the fields below, even if another one is selected in the list.
            <input type="hidden" name="minBidConstraint.currencyProfileId" value=chosen />
            {fields}
        </fieldset>
        <TextField field=INCREMENT hint inputmode="decimal" class="amount medium" />
    }
}

#[component]
fn MinimumFields(currency: BidCurrency) -> impl IntoView {
    let (labels, nouns): (Vec<String>, Vec<Noun<'_>>) = if currency.by_denomination() {
        let pieces = currency.denominations.iter();
        pieces.map(|piece| (piece.name.clone(), piece.noun())).unzip()
    } else {
        (vec!["Amount".to_owned()], vec![currency.noun()])
    };
    // The preview of the lot counts with them.
    let nouns: Vec<[&str; 2]> = nouns.iter().map(|noun| [noun.one, noun.several()]).collect();
    let nouns = serde_json::to_string(&nouns).unwrap_or_default();
    let fields = labels.into_iter().enumerate().map(|(slot, label)| {
        let name = format!("{}.{}", MINIMUM.name, field_name(&currency, slot));
        view! { <TextField field=MINIMUM part=(name, label) inputmode="decimal" class="amount" /> }
    });
    let fields = fields.collect::<Vec<_>>();
    view! {
        <div class="field-row denominations-row" data-nouns=nouns>
            {fields}
        </div>
    }
}
