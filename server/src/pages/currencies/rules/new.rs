//! `/auctions/{auction_id}/currency-rules/new`: creates a rule of the type that the query names.

use app::components::error_page::LoadError;
use auction_house::engine::RuleType;
use auction_house::path::AuctionPath;
use auction_house::rules::create::create_rule;
use axum::response::Response;
use platform::http::problem::Problem;

use super::form::RuleForm;
use super::form::view::new_rule_page;
use crate::pages::amounts::Amounts;
use crate::pages::currencies::{CurrenciesPage, done, read_editable};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// `GET /auctions/{auction_id}/currency-rules/new`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, |(page, kind)| new_rule_page(page, kind))
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<(CurrenciesPage, RuleType)> {
    let page = read_editable(request, path).await?;
    let submitted = request.refused().and_then(|refused| refused.value("type"));
    let kind = submitted.or(request.query("type")).and_then(|kind| kind.parse().ok());
    let kind = kind.filter(|_| !page.currencies.is_empty()).ok_or(PageError(LoadError::NotFound))?;
    Ok((page, kind))
}

/// `POST /auctions/{auction_id}/currency-rules/new`
pub async fn create(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let now = state.context.clock.now();
    let amounts = Amounts::of_auction(&mut state.context.db.read().await?, auction_id, user, now).await?;
    let body = RuleForm::read(&form, &amounts);
    let created = create_rule(&state.context, auction_id, user, FormBody { object: body.object, form }).await;
    created.map_err(|error| body.source.in_form(error.into()))?;
    Ok(done(auction_id, "rule-saved"))
}
