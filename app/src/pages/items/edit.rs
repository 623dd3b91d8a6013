//! `/auctions/{auction_id}/items/{item_id}/edit`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::{Existing, SavedForm};
use crate::html::{Html, html};
use crate::model::{ExistingItem, ItemFormPage};
use crate::pages::items::fields::{FIELDS, ItemFields, fill};
use crate::pages::items::{format_fields, price_fields};

/// Why an item can't be deleted.
const HAS_BIDS: &str = "The item has bids. Their record stays, so the item can’t be deleted.";

pub fn edit_item_page(page: ItemFormPage, existing: ExistingItem) -> Html {
    fill(&page);
    let auction = format!("/auctions/{}", page.auction_id);
    let item = format!("{auction}/items/{}", existing.id);
    let (auction_name, name) = (page.auction_name.clone(), existing.name.clone());
    let form = if existing.closed {
        Either::Left(view! { <p class="notice">"This item is closed: it stays as it is."</p> })
    } else {
        Either::Right(view! { <Form page existing item=item.clone() /> })
    };
    html(view! {
        <PageTitle text=format!("Edit {name}") />
        <section class="form-page wide">
            <p class="eyebrow">
                <a href=auction><Name text=auction_name /></a>
                " / "
                <a href=item>{name}</a>
            </p>
            <h1>"Edit item"</h1>
            {form}
        </section>
    })
}

#[component]
fn Form(page: ItemFormPage, existing: ExistingItem, item: String) -> impl IntoView {
    let existing = Existing {
        version: existing.version,
        name: existing.name,
        delete: format!("{item}/edit/delete"),
        delete_blocked: existing.has_bids.then_some(HAS_BIDS),
    };
    view! {
        <SavedForm fields=&[FIELDS, price_fields::FIELDS, format_fields::FIELDS] save="Save item" back=item existing=Some(existing)>
            <ItemFields page save="Save item" />
        </SavedForm>
    }
}
