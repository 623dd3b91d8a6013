//! `/auctions/new`: starts an auction with its money and its first lots.

use app::model::NewAuctionPage;
use app::pages::auctions::new::new_auction_page;
use app::pages::auctions::next_steps::NEW;
use axum::response::Response;

use super::start_form::StartForm;
use crate::pages::books::facts::kept;
use crate::pages::error::Loaded;
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::groups;
use crate::pages::iso_currencies;
use crate::pages::money_style::currency_of;
use crate::pages::request::PageRequest;
use auction_house::items::start::start_auction;
use platform::http::problem::Problem;

/// `GET /auctions/new`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, new_auction_page)
}

async fn read(request: &PageRequest) -> Loaded<NewAuctionPage> {
    let user = request.signed_in()?;
    let mut db = request.db().await?;
    Ok(NewAuctionPage {
        groups: groups::facts::choices(&mut db, None, user.id).await?,
        books: kept(&mut db, user.id).await?,
        iso_currencies: iso_currencies::in_use(),
        iso: currency_of(request.locale.as_deref()).to_owned(),
    })
}

/// `POST /auctions/new`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let mut start = StartForm::read(&state.context, &form, user).await?;
    let object = std::mem::take(&mut start.object);
    let made = start_auction(&state.context, user, FormBody { object, form }).await;
    let made = made.map_err(|error| start.in_form(error.into()))?;
    Ok(format!("/auctions/{}?{NEW}=true", made.resource.auction.id))
}
