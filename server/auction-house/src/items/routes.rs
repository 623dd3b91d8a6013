//! `/api/auctions/{auction_id}/items…`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::ItemStatus;
use super::access::view_in_auction;
use super::block::{BlockBody, put_on_block};
use super::body::ItemBody;
use super::copy::{CopyBody, copy_auction};
use super::create::create_item;
use super::delete::delete_item as delete;
use super::document::{ItemDocument, ItemsDocument};
use super::list::{ItemQuery, ItemSort, list_items};
use super::patch::patch_item as patch;
use super::schedule::{ScheduleBody, schedule_items};
use super::watch::watch_item as watch;
use crate::auctions::access::authorize;
use crate::auctions::document::AuctionDocument;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{AuctionPath, ItemPath};
use accounts::extract::{CurrentUser, Reader};
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, created, versioned};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::{page, parameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::MergePatch;
use platform::shape::New;

type NewItem = New<ItemBody>;
type ItemPatch = MergePatch<ItemBody>;
type BlockRequest = New<BlockBody>;
type NewSchedule = New<ScheduleBody>;
type NewCopy = New<CopyBody>;

/// The auction's items, by `lotNumber` unless requested otherwise: `newest` and `bids` are descending, `name`
/// ignores case, and `price` is the highest bid or else the least one. Drafts are listed for their creator
/// and the auction's OWNER and ADMINs. A cursor belongs to one order. A page has at most 256 KiB and may have
/// fewer items than `limit`; descriptions are cut after 300 characters, with `descriptionCut`.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items", tag = "items", params(
        ("auction_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before"),
        ("sort" = Option<ItemSort>, Query),
        ("q" = Option<String>, Query, description = "Words, each in name, description or lot number"),
        ("status" = Option<ItemStatus>, Query),
        ("watched" = Option<bool>, Query, description = "`true`: the items that you watch")),
    responses((status = 200, body = ItemsDocument)))]
pub async fn get_items(
    State(context): State<Context>,
    Reader { viewer, path, .. }: Reader<AuctionPath>,
    query: RawQuery,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let auction = authorize(&mut db, path.auction_id, viewer, now).await?;
    let query = ItemQuery::read(&parameters(&query), page(&query)?).map_err(Problem::fields)?;
    let found = list_items(&mut db, &auction, query, now).await?;
    Ok(Json(ItemsDocument::of(found, now)?))
}

/// Adds an item. OWNER, ADMIN and CREATOR only.
///
/// `lotNumber` and `sellerId` are for OWNER and ADMIN: 403 otherwise. 422 with `details.violations` where
/// `minBidConstraint` is no bid of its currency; 409 `CLOSED`, `NUMBER_TAKEN`, and `LIMIT_REACHED` in an
/// auction with 10,000 items.
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
    Reader { viewer, path, .. }: Reader<ItemPath>,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let (_, seen) = view_in_auction(&mut db, path.auction_id, path.item_id, viewer, now).await?;
    Ok(versioned(seen.item.version, ItemDocument::of(seen, now)?))
}

/// Changes an item by a JSON merge patch. Its creator, OWNER and ADMIN only.
///
/// A `minBidConstraint` is merged too, where of `amount` and `enteredRepresentation` the one that is given
/// takes the place of the other. Left out, `endDate` stays wherever a late bid has moved it; null is the
/// auction's. A new end lies in the future.
///
/// 422 with `details.violations` where `minBidConstraint` is no bid of its currency. 412
/// `PRECONDITION_FAILED`. 403 for another `lotNumber` or `sellerId`, which OWNER and ADMIN choose; 409
/// `NUMBER_TAKEN`, `LEADS_ITEM`. A member whose bid does not lead may become the seller: that bid stands, and
/// leads if the bids above it are withdrawn, until another manager withdraws it. The seller places no further
/// bid.
///
/// 409 `CLOSED`; once there are bids `FROZEN` for `startsAt`, `currencyCode`, `startingBid`,
/// `minBidIncrement`, `minBidConstraint` and `minIncrementNormalized`, and `HAS_BIDS` for unpublishing.
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

/// Puts an item on the block, where it is sold aloud, or with null none. OWNER, ADMIN and CLERK only.
///
/// An item that closes stays on the block until another takes its place; one that is deleted or hidden leaves
/// it. 422 for an item of another auction; 409 `ITEM_NOT_OPEN` for a draft and a closed one.
#[utoipa::path(put, path = "/api/auctions/{auction_id}/block", tag = "hall",
    params(("auction_id" = String, Path)), request_body = BlockRequest,
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn put_block(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = put_on_block(&context, path.auction_id, user.id, body).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}

/// Makes you watch an item. Members only.
#[utoipa::path(put, path = "/api/auctions/{auction_id}/items/{item_id}/watch", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path)), responses((status = 204)))]
pub async fn put_watch(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
) -> Result<StatusCode, Problem> {
    watch(&context, auction_id, item_id, user.id, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends your watching of an item. Members only.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/items/{item_id}/watch", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path)), responses((status = 204)))]
pub async fn delete_watch(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
) -> Result<StatusCode, Problem> {
    watch(&context, auction_id, item_id, user.id, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the end of each item that is not closed, in the order of `lotNumber`. OWNER and ADMIN only. The
/// answer has the first of these items.
///
/// 422 unless `itemEndMode` is CUSTOM, for an end in the past, before the start of its item, or after the
/// auction's. 409 `CLOSED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/schedule", tag = "items",
    params(("auction_id" = String, Path)), request_body = NewSchedule,
    responses((status = 200, body = ItemsDocument)))]
pub async fn post_schedule(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = context.clock.now();
    let scheduled = schedule_items(&context, path.auction_id, user.id, body).await?;
    Ok(Json(ItemsDocument::of(scheduled, now)?))
}

/// Creates an auction with the settings, currencies and rules of this one, which you then own; on request
/// with its items as drafts. OWNER and ADMIN only.
///
/// 409 `LIMIT_REACHED` while 1,000 auctions that you have created are open.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/copy", tag = "auctions",
    params(("auction_id" = String, Path), GivenKey), request_body = NewCopy,
    responses((status = 201, body = AuctionDocument, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_copy(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } = copy_auction(&context, path.auction_id, user.id, body).await?;
    let location = format!("/api/auctions/{}", made.auction.id);
    let (version, now) = (made.auction.version, context.clock.now());
    Ok(keyed::replayed(created(location, version, AuctionDocument::of(made, now)), replayed))
}
