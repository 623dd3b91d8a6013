//! `/api/auctions/{auction_id}/currency-set`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::CurrencySet;
use super::add::{add_currency_set, preview_currency_set};
use super::body::{CurrencySetBody, document};
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::creations::Created;
use crate::path::AuctionPath;
use accounts::extract::CurrentUser;
use platform::http::json::Json;
use platform::http::keyed::{self, FileBody, GivenKey};
use platform::http::paging::is_dry_run;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type CurrencySetDocument = New<CurrencySetBody>;

/// The auction's base unit, currencies and rules as one document, which POST accepts in any other auction.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currency-set", tag = "currencies",
    params(("auction_id" = String, Path)), responses((status = 200, body = CurrencySetDocument)))]
pub async fn get_currency_set(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Response, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.auction_id, user.id, context.clock.now()).await?;
    let set = CurrencySet::of_auction(&mut db, &seen.auction).await?;
    Ok(Json(document(&set)).into_response())
}

/// Adds all currencies and rules of a document after those of the auction, or none. At most 1 MiB. OWNER and
/// ADMIN only.
///
/// An auction with currencies keeps its default. One without currencies, rules and a book takes the base unit
/// of the document; another one keeps its own, whatever the document says. With `dryRun=true` nothing is
/// written: 200 with what would be added. 409 `CLOSED`, `CODE_TAKEN`, `LIMIT_REACHED` past 32 currencies or
/// 64 rules, `HAS_BIDS` where bids in ISO currencies exist.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/currency-set", tag = "currencies",
    params(("auction_id" = String, Path), ("dryRun" = Option<bool>, Query), GivenKey),
    request_body = CurrencySetDocument,
    responses((status = 200, body = CurrencySetDocument),
        (status = 201, body = CurrencySetDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_currency_set(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    query: RawQuery,
    FileBody(body): FileBody,
) -> Result<Response, Problem> {
    if is_dry_run(&query)? {
        let previewed = preview_currency_set(&context, path.auction_id, user.id, body).await?;
        return Ok(Json(document(&previewed.set)).into_response());
    }
    let Created { resource: set, replayed } =
        add_currency_set(&context, path.auction_id, user.id, body).await?;
    Ok(keyed::replayed((StatusCode::CREATED, Json(document(&set))).into_response(), replayed))
}
