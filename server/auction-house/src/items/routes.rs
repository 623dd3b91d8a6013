//! `/api/auctions/{auction_id}/items…`

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::access::{list_items, view_in_auction};
use super::body::ItemBody;
use super::create::create_item;
use super::delete::delete_item as delete;
use super::document::{ItemDocument, ItemsDocument};
use super::patch::patch_item as patch;
use crate::accounts::extract::CurrentUser;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{AuctionPath, ItemPath};
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, created, versioned};
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::page;
use platform::http::patch::MergePatch;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type NewItem = New<ItemBody>;
type ItemPatch = MergePatch<ItemBody>;

/// The auction's items, in the order in which they were made. Drafts are listed for their creator and the
/// auction's OWNER and ADMINs.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items", tag = "items", params(
        ("auction_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ItemsDocument)))]
pub async fn get_items(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    query: RawQuery,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let auction = authorize(&mut db, path.auction_id, user.id, now).await?;
    let found = list_items(&mut db, &auction, page(&query)?).await?;
    Ok(Json(ItemsDocument::of(found, now)?))
}

/// Adds an item. OWNER, ADMIN and CREATOR only.
///
/// `lotNumber` and `sellerId` are for OWNER and ADMIN: 403 otherwise. 422 with `details.violations` where
/// `minBidConstraint` is no bid of its currency; 409 `CLOSED`, `NUMBER_TAKEN`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items", tag = "items",
    params(("auction_id" = String, Path), GivenKey), request_body = NewItem,
    responses((status = 201, body = ItemDocument, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_item(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let Created { resource: made, replayed } = create_item(&context, path.auction_id, user.id, body).await?;
    let location = format!("/api/auctions/{}/items/{}", path.auction_id, made.item.id);
    Ok(keyed::replayed(created(location, made.item.version, ItemDocument::of(made, now)?), replayed))
}

/// One item.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn get_item(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<ItemPath>,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let (_, seen) = view_in_auction(&mut db, path.auction_id, path.item_id, user.id, now).await?;
    Ok(versioned(seen.item.version, ItemDocument::of(seen, now)?))
}

/// Changes an item by a JSON merge patch. Its creator, OWNER and ADMIN only.
///
/// A `minBidConstraint` is merged too, where of `amount` and `enteredRepresentation` the one that is given takes
/// the place of the other. Left out, `endDate` stays wherever a late bid has moved it; null is the auction's. A
/// new end lies in the future.
///
/// 422 with `details.violations` where `minBidConstraint` is no bid of its currency. 412 `PRECONDITION_FAILED`.
/// 403 for another `lotNumber` or `sellerId`, which OWNER and ADMIN choose; 409 `NUMBER_TAKEN`, `LEADS_ITEM`.
/// 409 `CLOSED`; once there are bids `FROZEN` for `startsAt`, `currencyCode`, `startingBid`, `minBidIncrement`,
/// `minBidConstraint` and `minIncrementNormalized`, and `HAS_BIDS` for unpublishing.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch),
    request_body(content = ItemPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn patch_item(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let changed = patch(&context, auction_id, item_id, user.id, body, &if_match).await?;
    Ok(versioned(changed.item.version, ItemDocument::of(changed, now)?))
}

/// Removes an item. Its creator, OWNER and ADMIN only.
///
/// 412 `PRECONDITION_FAILED`. 409 `HAS_BIDS`: an item with bids is kept.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_item(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&context, auction_id, item_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}
