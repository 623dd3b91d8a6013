//! `/auctions/{auction_id}/currencies/{currency_id}`: changes or deletes a currency.

use app::components::error_page::LoadError;
use auction_house::currencies::delete::delete_currency;
use auction_house::currencies::patch::patch_currency;
use auction_house::path::{AuctionPath, CurrencyPath};
use axum::response::Response;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

use super::form::{CurrencyForm, edit_currency_page};
use super::{CurrenciesPage, CurrencyEntry, done, list};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{meant_for, renamed_rows};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// `GET /auctions/{auction_id}/currencies/{currency_id}`
pub async fn show(PageAt(path): PageAt<CurrencyPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, |(page, entry)| edit_currency_page(page, entry))
}

async fn read(request: &PageRequest, path: Loaded<CurrencyPath>) -> Loaded<(CurrenciesPage, CurrencyEntry)> {
    let CurrencyPath { auction_id, currency_id } = path?;
    let page = list::read(request, Ok(AuctionPath { auction_id })).await?;
    let entry = page.currency(&currency_id.to_string()).cloned();
    let entry = entry.ok_or(PageError(LoadError::NotFound))?;
    if page.can_edit { Ok((page, entry)) } else { Err(PageError(LoadError::Forbidden)) }
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}`
pub async fn change(request: FormRequest<CurrencyPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: CurrencyPath { auction_id, currency_id }, form } = request;
    let body = CurrencyForm::read(&form);
    let patched =
        patch_currency(&state.context, auction_id, currency_id, user, body.object, &meant_for(&form)).await;
    patched.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(done(auction_id, "currency-saved"))
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}/delete`, a button on the currency's page.
pub async fn delete(request: FormRequest<CurrencyPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: CurrencyPath { auction_id, currency_id }, .. } = request;
    delete_currency(&state.context, auction_id, currency_id, user, &Precondition::None).await?;
    Ok(done(auction_id, "currency-deleted"))
}
