//! The fields of the form with which an item is created or changed.

use app::bounds::{MAX_ESTIMATE_CHARS, MAX_TITLE_CHARS};
use app::components::description_field::{DESCRIPTION, DescriptionField};
use app::components::field::{CheckField, Field, SelectField, TextField};
use app::components::moment_field::MomentField;
use app::components::picture_field::{ADD_PICTURES, PictureField};
use app::model::{BaseUnit, BidCurrency, Filled, SelectOption};
use app::request::{query_fields, query_part};
use leptos::either::Either;
use leptos::prelude::*;

use super::format_fields::FormatFields;
use super::lot_preview::LotPreview;
use super::new::CREATED;
use super::price_fields::{LegacyPrice, OwnPrice};

#[derive(Debug, Clone, PartialEq)]
pub struct ItemFormPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Empty in an auction without currency profiles, where each item has an ISO currency.
    pub currencies: Vec<BidCurrency>,
    /// The ISO 4217 currencies in which an item of such an auction may be priced, ordered by code.
    pub iso_currencies: Vec<SelectOption>,
    /// Index in `currencies` of the currency of the minimum.
    pub selected: usize,
    pub base_unit: BaseUnit,
    /// The auction has a book and no currency profile: it takes no items yet.
    pub needs_currency: bool,
    /// The auction has a book, from which tickets of a draw are paid.
    pub has_book: bool,
    /// An item may have an end of its own.
    pub own_end: bool,
    /// Members who may be the seller. Empty if the viewer chooses neither the seller nor the lot number.
    pub sellers: Vec<SelectOption>,
    /// Names and values of the fields, without those for moments. A box that is not checked has none.
    pub fields: Vec<(String, String)>,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    /// Absent for a new item.
    pub existing: Option<ExistingItem>,
}

/// The item that the form changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingItem {
    pub id: String,
    pub name: String,
    /// Without the item's bids: they do not outdate the form.
    pub version: i64,
    pub closed: bool,
    /// The item has ever had bids: it can't be deleted or hidden.
    pub has_bids: bool,
    /// The start and the price stay.
    pub has_standing_bid: bool,
    /// They stay because the item is open for sealed bids, whether or not there are any.
    pub is_sealed: bool,
}

const NAME: Field = Field::new("name", "Name", "Enter a name for the item.");
const PICTURES: Field = Field { label: "Pictures", ..ADD_PICTURES };
const LOT_NUMBER: Field =
    Field::new("lotNumber", "Lot number", "Enter 1 to 12 letters, digits and hyphens, such as 12 or KM-2.");
const ESTIMATE: Field = Field::new("estimate", "Estimate", "Enter at most 60 characters.");
const SELLER: Field = Field::new("sellerId", "Seller", "Choose a member of the auction.");
const START: Field =
    Field::new("startsAt", "Start", "Enter the start as a date and a time, or leave it empty.")
        .too_late("The item must start before it ends.");
const END: Field = Field::new("endDate", "End", "Enter the end as a date and a time, or leave it empty.")
    .too_late("The item can’t end after its auction: choose an earlier end.");
const THRESHOLD: Field = Field::new(
    "antiSnipeThresholdSeconds",
    "Late means the last … seconds",
    "Enter whole seconds, such as 300.",
)
.called("the seconds before the end");
const EXTENSION: Field = Field::new(
    "antiSnipeExtensionSeconds",
    "Then at least … seconds remain",
    "Enter whole seconds, such as 300.",
)
.called("the seconds after the bid");
pub const FIELDS: &[Field] =
    &[NAME, DESCRIPTION, PICTURES, ESTIMATE, LOT_NUMBER, SELLER, START, END, THRESHOLD, EXTENSION];

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
            Either::Right(view! { <OwnPrice currencies selected unit=base_unit /> })
        }
    });
    view! {
        <div class="form-columns">
            <div>
                <TextField field=NAME maxlength=MAX_TITLE_CHARS required=true autofocus=query_part(CREATED).is_some() />
                <DescriptionField about="Condition, dimensions, origin." save />
                {existing
                    .is_none()
                    .then(|| {
                        view! {
                            <PictureField
                                field=PICTURES
                                hint="Up to 10 files, JPEG, PNG or WebP, at most 10 MB each. The first one is shown in lists."
                            />
                        }
                    })}
                {(!page.sellers.is_empty()).then(|| view! { <CatalogueEntry sellers=page.sellers.clone() /> })}
                {existing.is_none().then(|| view! { <LotPreview /> })}
            </div>
            <div>
                {frozen
                    .then(|| view! { <p class="notice">{frozen_in_words(existing)}</p> })}
                {price}
                <TextField
                    field=ESTIMATE
                    hint="What it may sell for, in your own words, such as 40 to 60 £. It decides nothing."
                    maxlength=MAX_ESTIMATE_CHARS
                    class="medium"
                />
                {(!frozen).then(|| view! { <FormatFields has_book=page.has_book /> })}
                {(!frozen)
                    .then(|| {
                        view! {
                            <MomentField
                                field=START
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
                                field=END
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
            </div>
        </div>
    }
}

/// Why the start and the price stay.
fn frozen_in_words(existing: Option<&ExistingItem>) -> &'static str {
    if existing.is_some_and(|existing| existing.is_sealed) {
        "The item is open for sealed bids: its start, its price and the way it is sold stay, and it stays published."
    } else {
        "The item has bids: its start, its price and the way it is sold stay, and it stays published."
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
                    field=LOT_NUMBER
                    hint="Such as 12 or KM-2. Leave empty for the next free number"
                    class="amount short"
                />
                <SelectField field=SELLER hint="Whose item it is. The seller can’t bid on it" options=sellers />
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
                    field=THRESHOLD
                    hint="5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
                <TextField
                    field=EXTENSION
                    hint="5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
            </div>
        </fieldset>
    }
}
