//! `/auctions/new/settings`: creates an auction with all its settings.

use app::model::SelectOption;
use app::pages::auctions::new_settings::auction_with_settings_page;
use axum::response::Response;

use super::terms::{BASE_UNIT_FIELDS, TermsForm};
use crate::pages::books::facts::kept;
use crate::pages::error::Loaded;
use crate::pages::form::renamed;
use crate::pages::form_route::FormRequest;
use crate::pages::groups;
use crate::pages::request::PageRequest;
use auction_house::auctions::create::create_auction;
use platform::http::problem::Problem;

/// `GET /auctions/new/settings`
pub async fn show(request: PageRequest) -> Response {
    let choices = choices(&request).await;
    request.render(choices, |(books, groups)| auction_with_settings_page(books, groups))
}

/// The books and the groups that the viewer may choose.
async fn choices(request: &PageRequest) -> Loaded<(Vec<SelectOption>, Vec<SelectOption>)> {
    let user = request.user_id()?;
    let mut db = request.db().await?;
    Ok((kept(&mut db, user).await?, groups::facts::choices(&mut db, None, user).await?))
}

/// `POST /auctions/new/settings`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let made = create_auction(&state.context, user, TermsForm(form)).await;
    let made = made.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(format!("/auctions/{}", made.resource.auction.id))
}
