//! `/auctions/{auction_id}/items/new`

use leptos::either::Either;
use leptos::prelude::*;

use crate::bounds::MAX_TITLE_CHARS;
use crate::components::field::{
    CheckField, SelectField, TextArea, TextField, field_error, field_id, field_value,
};
use crate::components::loaded::{loaded, path_part, query_fields, query_part, services};
use crate::components::moment_field::MomentField;
use crate::components::money::{plural, unit_word};
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::model::{BaseUnit, BidCurrency, Filled, NewItemPage, SelectOption};
use crate::pages::items::form_state::field_name;

#[component]
pub fn NewItem() -> impl IntoView {
    let services = services();
    let iso_currencies = services.iso_currencies();
    let auction_id = path_part("auction_id");
    let load = async move { services.new_item(&auction_id).await };
    loaded(load, move |page| {
        // “Show” requests the page again with the typed values.
        if query_part("currency").is_some() {
            provide_context(Filled(query_fields()));
        }
        view! { <Form page iso_currencies /> }
    })
}

#[component]
fn Form(page: NewItemPage, iso_currencies: Vec<SelectOption>) -> impl IntoView {
    let back = format!("/auctions/{}", page.auction_id);
    let price = if page.currencies.is_empty() {
        Either::Left(view! { <LegacyPrice currencies=iso_currencies /> })
    } else {
        let NewItemPage { currencies, selected, base_unit, .. } = &page;
        Either::Right(
            view! { <OwnPrice currencies=currencies.clone() selected=*selected unit=base_unit.clone() /> },
        )
    };
    view! {
        <PageTitle text="New item" />
        <section class="form-page">
            <p class="eyebrow">
                <a href=back.clone()>{page.auction_name}</a>
            </p>
            <h1>"New item"</h1>
            <SavedForm save="Create item" back>
                <TextField name="name" label="Name" maxlength=MAX_TITLE_CHARS required=true />
                <TextArea name="description" label="Description" hint="Condition, dimensions, origin. You can use Markdown." />
                {price}
                {page
                    .own_end
                    .then(|| {
                        view! {
                            <MomentField name="endDate" label="End" hint="Leave it empty to end with the auction." />
                        }
                    })}
                <CheckField
                    name="isPublished"
                    label="Publish now"
                    hint="A draft is visible only to you and the auction’s owners."
                    checked=true
                />
            </SavedForm>
        </section>
    }
}

#[component]
fn LegacyPrice(currencies: Vec<SelectOption>) -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Price"</legend>
            <SelectField name="currencyCode" label="Currency" options=currencies chosen="EUR" />
            <div class="field-row">
                <TextField name="startingBid" label="Starting bid" hint="Leave empty to accept any first bid" inputmode="decimal" class="amount" />
                <TextField
                    name="minBidIncrement"
                    label="Minimum increment"
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
fn OwnPrice(currencies: Vec<BidCurrency>, selected: usize, unit: BaseUnit) -> impl IntoView {
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
    let error = field_error(MINIMUM);
    let choice = if several {
        Either::Left(view! {
            // Enter presses the first button of a form.
            <button class="default-button" type="submit" tabindex="-1" aria-hidden="true">
                "Create item"
            </button>
            <div class="choice-row">
                <SelectField name="currency" label="Currency" options=choices chosen=chosen.clone() />
                <button class="button quiet" type="submit" formmethod="get">
                    "Show"
                </button>
            </div>
        })
    } else {
        Either::Right(view! { <input type="hidden" name="currency" value=chosen.clone() /> })
    };
    let hint = format!("In {}. Leave empty to accept any higher bid", plural(&unit_word(&unit)));
    view! {
        <fieldset class="field-group" id=field_id(MINIMUM)>
            <legend>"Minimum bid"</legend>
            <p class="hint">"Leave empty to accept any first bid."</p>
            {error.map(|error| view! { <p class="field-error">{error}</p> })}
            {choice}
            // The currency of the fields below, even if another one is selected in the list.
            <input type="hidden" name="minBidConstraint.currencyProfileId" value=chosen />
            {fields}
        </fieldset>
        <TextField name="minIncrementNormalized" label="Minimum increment" hint inputmode="decimal" class="amount medium" />
    }
}

/// Member of the item with its minimum.
const MINIMUM: &str = "minBidConstraint";

#[component]
fn MinimumFields(currency: BidCurrency) -> impl IntoView {
    let labels: Vec<String> = if currency.by_denomination() {
        currency.denominations.iter().map(|denomination| denomination.name.clone()).collect()
    } else {
        vec!["Amount".to_owned()]
    };
    let fields = labels.into_iter().enumerate().map(|(slot, label)| {
        let name = format!("{MINIMUM}.{}", field_name(&currency, slot));
        view! { <TextField name label inputmode="decimal" class="amount" /> }
    });
    view! { <div class="field-row denominations-row">{fields.collect::<Vec<_>>()}</div> }
}
