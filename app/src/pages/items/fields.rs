//! The fields of the form with which an item is created or changed.

use leptos::either::Either;
use leptos::prelude::*;

use crate::bounds::MAX_TITLE_CHARS;
use crate::components::description_field::DescriptionField;
use crate::components::field::{CheckField, SelectField, TextField, field_error, field_id, field_value};
use crate::components::moment_field::MomentField;
use crate::components::money::{plural, unit_word};
use crate::components::picture_field::PictureField;
use crate::model::{BaseUnit, BidCurrency, Filled, ItemFormPage, SelectOption};
use crate::pages::items::form_state::field_name;
use crate::request::{query_fields, query_part};

/// Fills in the form with what the page has, or with what was typed: “Show” of another currency requests the
/// page again.
pub fn fill(page: &ItemFormPage) {
    let typed = query_part("currency").is_some();
    provide_context(Filled(if typed { query_fields() } else { page.fields.clone() }));
}

/// `save` is the label of the form's button.
#[component]
pub fn ItemFields(page: ItemFormPage, save: &'static str) -> impl IntoView {
    let existing = page.existing.as_ref();
    let has_bids = existing.is_some_and(|existing| existing.has_bids);
    let frozen = existing.is_some_and(|existing| existing.has_standing_bid);
    let price = (!frozen).then(|| {
        if page.currencies.is_empty() {
            Either::Left(view! { <LegacyPrice currencies=page.iso_currencies.clone() /> })
        } else {
            let ItemFormPage { currencies, selected, base_unit, .. } = page.clone();
            Either::Right(view! { <OwnPrice currencies selected unit=base_unit save /> })
        }
    });
    view! {
        <TextField name="name" label="Name" maxlength=MAX_TITLE_CHARS required=true />
        <DescriptionField about="Condition, dimensions, origin." save />
        {existing
            .is_none()
            .then(|| {
                view! {
                    <PictureField
                        label="Pictures"
                        hint="Up to 10 files, JPEG, PNG or WebP, at most 10 MB each. The first one is shown in lists."
                    />
                }
            })}
        {frozen
            .then(|| view! { <p class="notice">"The item has bids: its start and its price stay, and it stays published."</p> })}
        {price}
        {(!page.sellers.is_empty()).then(|| view! { <CatalogueEntry sellers=page.sellers.clone() /> })}
        {(!frozen)
            .then(|| {
                view! {
                    <MomentField
                        name="startsAt"
                        label="Start"
                        hint="Bids are accepted from then on. Leave it empty to start at once."
                        moment=page.starts_at
                    />
                }
            })}
        {page
            .own_end
            .then(|| {
                view! {
                    <MomentField
                        name="endDate"
                        label="End"
                        hint="Leave it empty to end with the auction."
                        moment=page.ends_at
                    />
                }
            })}
        <AntiSnipeFields />
        {(!has_bids)
            .then(|| {
                view! {
                    <input type="hidden" name="mayHide" value="true" />
                    <CheckField
                        name="isPublished"
                        label="Published"
                        hint="A draft is visible only to you and the auction’s owners."
                        checked=true
                    />
                }
            })}
    }
}

/// What only the auction's owners choose.
#[component]
fn CatalogueEntry(sellers: Vec<SelectOption>) -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Catalogue"</legend>
            <div class="field-row">
                <TextField
                    name="lotNumber"
                    label="Lot number"
                    hint="Leave empty for the next free number"
                    inputmode="numeric"
                    class="amount short"
                />
                <SelectField name="sellerId" label="Seller" hint="Whose item it is. The seller can’t bid on it" options=sellers />
            </div>
        </fieldset>
    }
}

#[component]
fn AntiSnipeFields() -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Late bids"</legend>
            <CheckField
                name="antiSnipeEnabled"
                label="A late bid moves the end"
                hint="Nobody wins by bidding in the last second: the others always have time to answer."
                checked=false
            />
            <div class="field-row">
                <TextField
                    name="antiSnipeThresholdSeconds"
                    label="A bid is late in the last … seconds"
                    hint="5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
                <TextField
                    name="antiSnipeExtensionSeconds"
                    label="After it the item lasts … more seconds"
                    hint="5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
            </div>
        </fieldset>
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
fn OwnPrice(
    currencies: Vec<BidCurrency>,
    selected: usize,
    unit: BaseUnit,
    save: &'static str,
) -> impl IntoView {
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
                {save}
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
