//! `/auctions/{auction_id}/currencies/new`: creates a currency, from a template, an ISO currency or an empty
//! form.

use app::pages::auctions::currencies::form::{NewCurrency, new_currency_page};
use axum::response::Response;

use super::form::CurrencyForm;
use super::{done, read_editable};
use crate::pages::form::{FormBody, renamed_rows};
use crate::pages::form_route::FormRequest;
use crate::pages::iso_currencies;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::currencies::create::create_currency;
use auction_house::path::AuctionPath;
use platform::http::problem::Problem;

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
    let made =
        create_currency(&state.context, auction_id, user, FormBody { object: body.object, form }).await;
    made.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(done(auction_id, "currency-saved"))
}
