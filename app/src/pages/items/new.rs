//! `/auctions/{auction_id}/items/new`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::html::{Html, html};
use crate::model::ItemFormPage;
use crate::pages::items::fields::{FIELDS, ItemFields, fill};
use crate::pages::items::{format_fields, price_fields};
use crate::request::query_part;

/// Parameter of the address with the id of the item that was created just before. The form begins with what
/// the two have in common.
pub const CREATED: &str = "created";

pub fn new_item_page(page: ItemFormPage) -> Html {
    fill(&page);
    let back = format!("/auctions/{}", page.auction_id);
    let last = query_part(CREATED);
    // After the first of several items the button for another one comes first.
    let another_first = last.is_some();
    let created = last.map(|id| {
        view! {
            <p class="notice" role="status">
                "The item was created. The next one begins with its price, times and seller. "
                <a href=format!("{back}/items/{id}")>"Show it"</a>
            </p>
        }
    });
    html(view! {
        <PageTitle text="New item" />
        <section class="form-page wide">
            <p class="eyebrow">
                <a href=back.clone()>{page.auction_name.clone()}</a>
            </p>
            <h1>"New item"</h1>
            <p class="lead">
                <a href=format!("{back}/items/add")>"Add many lots at once"</a>
            </p>
            {created}
            {if page.needs_currency {
                Either::Left(view! { <NeedsCurrency page back /> })
            } else {
                Either::Right(view! {
                    <SavedForm
                        fields=&[FIELDS, price_fields::FIELDS, format_fields::FIELDS]
                        save="Create item"
                        save_another="Create and add another"
                        another_first
                        files=true
                        back
                    >
                        <ItemFields page save="Create item" />
                    </SavedForm>
                })
            }}
        </section>
    })
}

/// People have an amount of the auction's own money: an item in another one would take no bid.
#[component]
fn NeedsCurrency(page: ItemFormPage, back: String) -> impl IntoView {
    let money = page.base_unit.noun().several().to_owned();
    view! {
        <p class="lead">
            {format!("People bid with {money} here. Say first how they are bid: one by one, or in pieces.")}
        </p>
        <p>
            <a class="button primary" href=format!("{back}/currencies")>"Choose how people bid"</a>
        </p>
    }
}
