//! `/auctions/{auction_id}/currencies/new`: creates a currency, from a template, an ISO currency or an empty
//! form.

use super::form::{NewCurrency, new_currency_page};
use axum::response::Response;

use super::form::CurrencyForm;
use super::{done, read_editable};
use crate::pages::form::{FormBody, renamed_rows};
use crate::pages::form_route::FormRequest;
use crate::pages::iso_currencies;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use auction_house::auctions::access::authorize;
use auction_house::currencies::create::create_currency;
use auction_house::ids::{AuctionId, UserId};
use auction_house::items::auction::patch::patch_auction;
use auction_house::path::AuctionPath;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::verb::VerbError;

/// `GET /auctions/{auction_id}/currencies/new`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read_editable(&request, path).await;
    let new_currency = requested(&request);
    request.render(page, |page| new_currency_page(page, new_currency))
}

/// The query has the initial contents of the form: a template, an ISO currency, or the values typed so far.
fn requested(request: &PageRequest) -> NewCurrency {
    let template = request.query("template").map(str::to_owned);
    let iso = request.query("iso").and_then(iso_currencies::find);
    let is_submitted = request.refused().is_some() || request.query("rows").is_some();
    match template.as_deref() {
        None if !is_submitted && iso.is_none() => NewCurrency::Templates,
        Some("iso") if !is_submitted && iso.is_none() => NewCurrency::IsoCurrencies(iso_currencies::in_use()),
        _ => NewCurrency::Form { iso, template },
    }
}

/// `POST /auctions/{auction_id}/currencies/new`
pub async fn create(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let body = CurrencyForm::read(&form);
    let unit = body.unit.clone();
    let made =
        create_currency(&state.context, auction_id, user, FormBody { object: body.object, form }).await;
    made.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    if let Some(unit) = unit {
        name_unit(&state, auction_id, user, unit).await?;
    }
    Ok(done(auction_id, "currency-saved"))
}

/// Names the base unit of an auction after the smallest piece of its first currency, if it has no name: bids
/// would be compared in “base units”.
async fn name_unit(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    unit: Object,
) -> Result<(), Problem> {
    let mut db = state.context.db.read().await?;
    let seen = authorize(&mut db, auction_id, user, state.context.clock.now()).await?;
    drop(db);
    if seen.auction.terms.base_unit.is_some() {
        return Ok(());
    }
    let mut patch = Object::default();
    patch.set("baseUnit", &unit);
    let version = Precondition::OneOf(vec![seen.auction.version]);
    match patch_auction(&state.context, auction_id, user, patch, &version).await {
        // The auction has changed in the meantime: its unit can be named on its page.
        Ok(_) | Err(VerbError::Outdated(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
