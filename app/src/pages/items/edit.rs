//! `/auctions/{auction_id}/items/{item_id}/edit`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::loaded::{loaded, path_part, query_fields, query_part, services};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::{Existing, SavedForm};
use crate::model::{ExistingItem, Filled, ItemFormPage, SelectOption};
use crate::pages::items::fields::ItemFields;

/// Why an item can't be deleted.
const HAS_BIDS: &str = "The item has bids. Their record stays, so the item can’t be deleted.";

#[component]
pub fn EditItem() -> impl IntoView {
    let services = services();
    let iso_currencies = services.iso_currencies();
    let (auction_id, item_id) = (path_part("auction_id"), path_part("item_id"));
    let load = async move { services.edit_item(&auction_id, &item_id).await };
    loaded(load, move |page| {
        // “Show” requests the page again with the typed values.
        let typed = query_part("currency").is_some();
        provide_context(Filled(if typed { query_fields() } else { page.fields.clone() }));
        page.existing.clone().map(|existing| view! { <Page page existing iso_currencies /> })
    })
}

#[component]
fn Page(page: ItemFormPage, existing: ExistingItem, iso_currencies: Vec<SelectOption>) -> impl IntoView {
    let auction = format!("/auctions/{}", page.auction_id);
    let item = format!("{auction}/items/{}", existing.id);
    let (auction_name, name) = (page.auction_name.clone(), existing.name.clone());
    let form = if existing.closed {
        Either::Left(view! { <p class="notice">"This item is closed: it stays as it is."</p> })
    } else {
        Either::Right(view! { <Form page existing item=item.clone() iso_currencies /> })
    };
    view! {
        <PageTitle text=format!("Edit {name}") />
        <section class="form-page">
            <p class="eyebrow">
                <a href=auction><Name text=auction_name /></a>
                " / "
                <a href=item>{name}</a>
            </p>
            <h1>"Edit item"</h1>
            {form}
        </section>
    }
}

#[component]
fn Form(
    page: ItemFormPage,
    existing: ExistingItem,
    item: String,
    iso_currencies: Vec<SelectOption>,
) -> impl IntoView {
    let existing = Existing {
        version: existing.version,
        name: existing.name,
        delete: format!("{item}/edit/delete"),
        delete_blocked: existing.has_bids.then_some(HAS_BIDS),
    };
    view! {
        <SavedForm save="Save item" back=item existing=Some(existing)>
            <ItemFields page iso_currencies save="Save item" />
        </SavedForm>
    }
}
