//! `/auctions/new/settings`: creates an auction with all its settings.

use app::model::SelectOption;
use app::pages::auctions::new_settings::auction_with_settings_page;
use axum::response::Response;

use super::terms::{BASE_UNIT_FIELDS, TermsForm};
use crate::pages::books::facts::kept;
use crate::pages::error::Loaded;
use crate::pages::form::renamed;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;
use auction_house::auctions::create::create_auction;
use platform::http::problem::Problem;

/// `GET /auctions/new/settings`
pub async fn show(request: PageRequest) -> Response {
    let books = books(&request).await;
    request.render(books, auction_with_settings_page)
}

async fn books(request: &PageRequest) -> Loaded<Vec<SelectOption>> {
    let user = request.user_id()?;
    Ok(kept(&mut request.db().await?, user).await?)
}

/// `POST /auctions/new/settings`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let made = create_auction(&state.context, user, TermsForm(form)).await;
    let made = made.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(format!("/auctions/{}", made.resource.auction.id))
}
