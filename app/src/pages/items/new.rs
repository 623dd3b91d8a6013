//! `/auctions/{auction_id}/items/new`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{CheckField, SelectField, TextArea, TextField};
use crate::components::loaded::{loaded, path_part, services};
use crate::components::money::unit_word;
use crate::components::page_title::PageTitle;
use crate::model::{BaseUnit, CurrencyChoice, NewItemPage};

#[component]
pub fn NewItem() -> impl IntoView {
    let services = services();
    let iso_currencies = services.iso_currencies();
    let auction_id = path_part("auction_id");
    let load = async move { services.new_item(&auction_id).await };
    loaded(load, move |page| view! { <Form page iso_currencies /> })
}

#[component]
fn Form(page: NewItemPage, iso_currencies: Vec<CurrencyChoice>) -> impl IntoView {
    let back = format!("/auctions/{}", page.auction_id);
    let price = if page.currencies.is_empty() {
        Either::Left(view! { <LegacyPrice currencies=iso_currencies /> })
    } else {
        Either::Right(view! { <BasePrice unit=page.base_unit /> })
    };
    view! {
        <PageTitle text="New item" />
        <section class="form-page">
            <p class="eyebrow">
                <a href=back.clone()>{page.auction_name}</a>
            </p>
            <h1>"New item"</h1>
            <form method="post" novalidate>
                <ErrorSummary />
                <TextField name="name" label="Name" maxlength="200" required=true />
                <TextArea name="description" label="Description" hint="Condition, measures, where it comes from. Markdown is welcome." />
                {price}
                {page
                    .own_end
                    .then(|| {
                        view! {
                            <TextField
                                name="endDate"
                                label="End"
                                hint="In UTC. Leave it empty to end with the auction."
                                kind="datetime-local"
                                class="medium"
                            />
                        }
                    })}
                <CheckField
                    name="isPublished"
                    label="Publish now"
                    hint="A draft is seen by you and the auction's owners only."
                    checked=true
                />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Create item"
                    </button>
                    <a class="button quiet" href=back>
                        "Cancel"
                    </a>
                </div>
            </form>
        </section>
    }
}

#[component]
fn LegacyPrice(currencies: Vec<CurrencyChoice>) -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Price"</legend>
            <SelectField name="currencyCode" label="Currency" choices=currencies chosen="EUR" />
            <div class="field-row">
                <TextField name="startingBid" label="Starting bid" hint="Empty: any bid opens" inputmode="decimal" class="amount" />
                <TextField
                    name="minBidIncrement"
                    label="Minimum increment"
                    hint="Empty: any higher bid leads"
                    inputmode="decimal"
                    class="amount"
                />
            </div>
        </fieldset>
    }
}

#[component]
fn BasePrice(unit: BaseUnit) -> impl IntoView {
    let hint = format!("In {}. Empty: any higher bid leads", unit_word(&unit));
    view! {
        <TextField name="minIncrementNormalized" label="Minimum increment" hint inputmode="decimal" class="amount medium" />
    }
}
