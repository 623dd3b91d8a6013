//! `/auctions/{auction_id}/currency-rules/{rule_id}`: changes or deletes a rule.

use app::components::error_page::LoadError;
use auction_house::path::{AuctionPath, RulePath};
use auction_house::rules::delete::delete_rule;
use auction_house::rules::patch::patch_rule;
use axum::response::Response;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

use super::form::RuleForm;
use super::form::view::edit_rule_page;
use crate::pages::amounts::Amounts;
use crate::pages::currencies::{CurrenciesPage, RuleEntry, done, list};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::meant_for;
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// `GET /auctions/{auction_id}/currency-rules/{rule_id}`
pub async fn show(PageAt(path): PageAt<RulePath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, |(page, rule)| edit_rule_page(page, rule))
}

async fn read(request: &PageRequest, path: Loaded<RulePath>) -> Loaded<(CurrenciesPage, RuleEntry)> {
    let RulePath { auction_id, rule_id } = path?;
    let page = list::read(request, Ok(AuctionPath { auction_id })).await?;
    let rule = page.rule(&rule_id.to_string()).cloned().ok_or(PageError(LoadError::NotFound))?;
    if page.can_edit { Ok((page, rule)) } else { Err(PageError(LoadError::Forbidden)) }
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}`
pub async fn change(request: FormRequest<RulePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: RulePath { auction_id, rule_id }, form } = request;
    let now = state.context.clock.now();
    let amounts = Amounts::of_auction(&mut state.context.db.read().await?, auction_id, user, now).await?;
    let body = RuleForm::read(&form, &amounts);
    let patched = patch_rule(&state.context, auction_id, rule_id, user, body.object, &meant_for(&form)).await;
    patched.map_err(|error| body.source.in_form(error.into()))?;
    Ok(done(auction_id, "rule-saved"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/delete`, a button on the rule's page.
pub async fn delete(request: FormRequest<RulePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: RulePath { auction_id, rule_id }, .. } = request;
    delete_rule(&state.context, auction_id, rule_id, user, &Precondition::None).await?;
    Ok(done(auction_id, "rule-deleted"))
}
