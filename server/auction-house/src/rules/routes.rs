//! `/api/auctions/{auction_id}/currency-rules…`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::access::view_rule;
use super::body::RuleBody;
use super::create::create_rule;
use super::delete::delete_rule as delete;
use super::document::{RuleDocument, RulesDocument};
use super::patch::patch_rule as patch;
use super::store;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{AuctionPath, RulePath};
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, created, versioned};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::MergePatch;
use platform::shape::New;

type NewRule = New<RuleBody>;
type RulePatch = MergePatch<RuleBody>;

/// The conditions for bids in addition to being the highest, by position.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currency-rules", tag = "rules",
    params(("auction_id" = String, Path)), responses((status = 200, body = RulesDocument)))]
pub async fn get_rules(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<RulesDocument>, Problem> {
    let mut db = context.db.read().await?;
    authorize(&mut db, path.auction_id, user.id, context.clock.now()).await?;
    let rules = store::of_auction(&mut db, path.auction_id).await?;
    Ok(Json(RulesDocument { rules: rules.into_iter().map(RuleDocument::from).collect() }))
}

/// Adds a rule. OWNER and ADMIN only.
///
/// 409 `CLOSED`, `LIMIT_REACHED` after 64.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/currency-rules", tag = "rules",
    params(("auction_id" = String, Path), GivenKey), request_body = NewRule,
    responses((status = 201, body = RuleDocument, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_rule(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } = create_rule(&context, path.auction_id, user.id, body).await?;
    let location = format!("/api/auctions/{}/currency-rules/{}", made.auction_id, made.id);
    Ok(keyed::replayed(created(location, made.version, RuleDocument::from(made)), replayed))
}

/// One rule.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currency-rules/{rule_id}", tag = "rules",
    params(("auction_id" = String, Path), ("rule_id" = String, Path)),
    responses((status = 200, body = RuleDocument, headers(("ETag")))))]
pub async fn get_rule(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<RulePath>,
) -> Result<Response, Problem> {
    let mut db = context.db.read().await?;
    let seen = view_rule(&mut db, path.auction_id, path.rule_id, user.id, context.clock.now()).await?;
    Ok(versioned(seen.version, RuleDocument::from(seen)))
}

/// Changes a rule by a JSON merge patch. OWNER and ADMIN only. It holds from the next bid on.
///
/// `params` are replaced whole; `type` never changes. 412 `PRECONDITION_FAILED`.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/currency-rules/{rule_id}", tag = "rules",
    params(("auction_id" = String, Path), ("rule_id" = String, Path), IfMatch),
    request_body(content = RulePatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = RuleDocument, headers(("ETag")))))]
pub async fn patch_rule(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(RulePath { auction_id, rule_id }): At<RulePath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let changed = patch(&context, auction_id, rule_id, user.id, body, &if_match).await?;
    Ok(versioned(changed.version, RuleDocument::from(changed)))
}

/// Removes a rule. OWNER and ADMIN only. The next bid is judged without it.
///
/// 412 `PRECONDITION_FAILED`.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/currency-rules/{rule_id}", tag = "rules",
    params(("auction_id" = String, Path), ("rule_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_rule(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(RulePath { auction_id, rule_id }): At<RulePath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&context, auction_id, rule_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}
