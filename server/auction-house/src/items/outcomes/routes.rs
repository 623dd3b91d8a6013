//! `/api/auctions/{auction_id}/outcomes` and `/api/auctions/{auction_id}/items/{item_id}/outcome`

use axum::extract::{RawQuery, State};

use super::document::{OutcomeDocument, OutcomesDocument};
use super::list::list_outcomes;
use super::mark::{MarkBody, mark_outcome};
use crate::auctions::access::authorize;
use crate::auctions::people::PeopleShown;
use crate::context::Context;
use crate::path::{AuctionPath, ItemPath};
use accounts::extract::{CurrentUser, Reader};
use platform::http::body::JsonBody;
use platform::http::etag::IfMatch;
use platform::http::json::Json;
use platform::http::paging::page;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type OutcomePatch = New<MarkBody>;

/// Every outcome of the auction's items in the order in which they were created: of an item with several the
/// last one is in force.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/outcomes", tag = "outcomes", params(
        ("auction_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = OutcomesDocument)))]
pub async fn get_outcomes(
    State(context): State<Context>,
    Reader { viewer, path, .. }: Reader<AuctionPath>,
    query: RawQuery,
) -> Result<Json<OutcomesDocument>, Problem> {
    let mut db = context.db.read().await?;
    let auction = authorize(&mut db, path.auction_id, viewer, context.clock.now()).await?;
    let found = list_outcomes(&mut db, &auction, page(&query)?).await?;
    Ok(Json(OutcomesDocument::of(found, &PeopleShown::to(&auction))?))
}

/// Marks the outcome in force as paid or collected, or not. OWNER, ADMIN and CLERK only. In an auction with
/// a book a sold item is paid from the beginning, by its charge.
///
/// 412 `PRECONDITION_FAILED` with the `ETag` of the item. 409 `NOT_CLOSED` before the item has an outcome,
/// `NOT_SOLD` if it was not sold.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/items/{item_id}/outcome", tag = "outcomes",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch), request_body = OutcomePatch,
    responses((status = 200, body = OutcomeDocument)))]
pub async fn patch_outcome(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Json<OutcomeDocument>, Problem> {
    let marked = mark_outcome(&context, auction_id, item_id, user.id, body, &if_match).await?;
    let now = context.clock.now();
    let auction = authorize(&mut context.db.read().await?, auction_id, user.id, now).await?;
    // A manager sees every bidder.
    Ok(Json(OutcomeDocument::of(item_id, marked, true, &PeopleShown::of(&auction.auction))?))
}
