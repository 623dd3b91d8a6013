//! `/books/new`: creates a book.

use app::pages::books::new::new_book_page;
use axum::response::Response;

use super::show::done;
use super::terms::{in_form, terms};
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;
use auction_house::books::create::create_book;
use platform::http::problem::Problem;

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
