//! `/books/new`

use leptos::prelude::*;

use super::fields::{BookFields, FIELDS};
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::components::unit_fields::UNIT;
use crate::html::{Html, html};

pub fn new_book_page() -> Html {
    html(view! {
        <PageTitle text="New balances" />
        <section class="form-page">
            <h1>"New balances"</h1>
            <p class="lead">"Balances outlive auctions: what is left after one can be spent in the next."</p>
            <SavedForm fields=&[FIELDS, UNIT] save="Create balances" back="/books">
                <BookFields />
            </SavedForm>
        </section>
    })
}
