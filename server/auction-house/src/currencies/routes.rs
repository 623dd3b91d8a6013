//! `/api/auctions/{auction_id}/currencies…`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::Currency;
use super::access::view_currency;
use super::body::CurrencyBody;
use super::create::create_currency;
use super::delete::delete_currency as delete;
use super::document::CurrenciesDocument;
use super::patch::patch_currency as patch;
use super::store;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{AuctionPath, CurrencyPath};
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, created, versioned};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::MergePatch;
use platform::shape::New;

type NewCurrency = New<CurrencyBody>;
type CurrencyPatch = MergePatch<CurrencyBody>;

/// What the auction's bids may be entered in. An auction without currency profiles is priced in ISO 4217.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currencies", tag = "currencies",
    params(("auction_id" = String, Path)), responses((status = 200, body = CurrenciesDocument)))]
pub async fn get_currencies(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<CurrenciesDocument>, Problem> {
    let mut db = context.db.read().await?;
    authorize(&mut db, path.auction_id, user.id, context.clock.now()).await?;
    let currencies = store::of_auction(&mut db, path.auction_id).await?;
    Ok(Json(CurrenciesDocument { currencies }))
}

/// Defines a currency. OWNER and ADMIN only.
///
/// 409 `CLOSED`, `CODE_TAKEN`, `LIMIT_REACHED` after 32, `HAS_BIDS` where bids in ISO currencies exist.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/currencies", tag = "currencies",
    params(("auction_id" = String, Path), GivenKey), request_body = NewCurrency,
    responses((status = 201, body = Currency, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_currency(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } =
        create_currency(&context, path.auction_id, user.id, body).await?;
    let location = format!("/api/auctions/{}/currencies/{}", made.auction_id, made.id);
    Ok(keyed::replayed(created(location, made.version, made), replayed))
}

/// One currency profile.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currencies/{currency_id}", tag = "currencies",
    params(("auction_id" = String, Path), ("currency_id" = String, Path)),
    responses((status = 200, body = Currency, headers(("ETag")))))]
pub async fn get_currency(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<CurrencyPath>,
) -> Result<Response, Problem> {
    let mut db = context.db.read().await?;
    let now = context.clock.now();
    let seen = view_currency(&mut db, path.auction_id, path.currency_id, user.id, now).await?;
    Ok(versioned(seen.version, seen))
}

/// Changes a currency by a JSON merge patch. OWNER and ADMIN only.
///
/// `denominations` are replaced whole; with `inputMode` SCALAR they go. A new default takes it from the old.
///
/// 412 `PRECONDITION_FAILED`. 409 `FROZEN` for `rateToBase`, `inputMode`, `precision`, `fractionPolicy` and
/// for which denominations there are, in which order and with which factors, once a bid or a
/// `minBidConstraint` is entered in the currency; `IN_USE` where a denomination would go that a rule names;
/// `CODE_TAKEN`.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/currencies/{currency_id}", tag = "currencies",
    params(("auction_id" = String, Path), ("currency_id" = String, Path), IfMatch),
    request_body(content = CurrencyPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = Currency, headers(("ETag")))))]
pub async fn patch_currency(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(CurrencyPath { auction_id, currency_id }): At<CurrencyPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let changed = patch(&context, auction_id, currency_id, user.id, body, &if_match).await?;
    Ok(versioned(changed.version, changed))
}

/// Removes a currency. OWNER and ADMIN only. With the last one the auction is priced in ISO 4217 again.
///
/// 412 `PRECONDITION_FAILED`. 409 `HAS_BIDS` while bids are entered in it; `IN_USE` while a
/// `minBidConstraint` is, while a rule is for it, and for the last one while items have no currency without
/// it.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/currencies/{currency_id}", tag = "currencies",
    params(("auction_id" = String, Path), ("currency_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_currency(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(CurrencyPath { auction_id, currency_id }): At<CurrencyPath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&context, auction_id, currency_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}
