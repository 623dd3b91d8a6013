//! `/auctions/{auction_id}/items/new`

use leptos::prelude::*;

use crate::components::loaded::{loaded, path_part, query_fields, query_part, services};
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::model::{Filled, ItemFormPage, SelectOption};
use crate::pages::items::fields::ItemFields;

#[component]
pub fn NewItem() -> impl IntoView {
    let services = services();
    let iso_currencies = services.iso_currencies();
    let auction_id = path_part("auction_id");
    let load = async move { services.new_item(&auction_id).await };
    loaded(load, move |page| {
        // “Show” requests the page again with the typed values.
        let typed = query_part("currency").is_some();
        provide_context(Filled(if typed { query_fields() } else { page.fields.clone() }));
        view! { <Form page iso_currencies /> }
    })
}

#[component]
fn Form(page: ItemFormPage, iso_currencies: Vec<SelectOption>) -> impl IntoView {
    let back = format!("/auctions/{}", page.auction_id);
    let created = query_part("created").map(|id| {
        view! {
            <p class="notice" role="status">
                "The item was created. " <a href=format!("{back}/items/{id}")>"Show it"</a>
            </p>
        }
    });
    view! {
        <PageTitle text="New item" />
        <section class="form-page">
            <p class="eyebrow">
                <a href=back.clone()>{page.auction_name.clone()}</a>
            </p>
            <h1>"New item"</h1>
            {created}
            <SavedForm save="Create item" save_another="Create and add another" files=true back>
                <ItemFields page iso_currencies save="Create item" />
            </SavedForm>
        </section>
    }
}
