//! `/books/new`: creates a book.

use app::components::page_title::PageTitle;
use app::components::saved_form::SavedForm;
use app::components::unit_fields::UNIT;
use app::html::{Html, html};
use auction_house::books::create::create_book;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::fields::{BookFields, FIELDS};
use super::show::done;
use super::terms::{in_form, terms};
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;

/// `GET /books/new`
pub async fn show(request: PageRequest) -> Response {
    let user = request.user_id();
    request.render(user, |_| new_book_page())
}

/// `POST /books/new`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let object = terms(&form, None);
    let made = create_book(&state.context, user, FormBody { object, form }).await;
    let made = made.map_err(|error| in_form(error.into()))?;
    Ok(done(made.resource.book.id, "created"))
}

fn new_book_page() -> Html {
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
