//! Closing items and auctions over HTTP (SPEC, section 3).

use axum::extract::State;
use axum::response::Response;

use super::cancel_item::{Cancellation, cancel_item};
use super::close_auction::close_auction;
use super::end_item::end_item;
use crate::auctions::document::AuctionDocument;
use crate::bids::queue::BidQueue;
use crate::context::Context;
use crate::items::document::ItemDocument;
use crate::path::{AuctionPath, ItemPath};
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, versioned};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type ItemCancellation = New<Cancellation>;

/// Closes the auction and every item of it, for good, each with its outcome: sold to the leader, or unsold.
/// Many items are closed part by part, in the order of their lot numbers; bids on the others go on meanwhile.
/// OWNER and ADMIN only.
///
/// 409 `CLOSED`; 412 `PRECONDITION_FAILED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/close", tag = "auctions",
    params(("auction_id" = String, Path), IfMatch),
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_close(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    IfMatch(if_match): IfMatch,
) -> Result<Response, Problem> {
    let closed = close_auction(&queue, auction_id, user.id, if_match).await?;
    Ok(versioned(closed.auction.version, AuctionDocument::of(closed, context.clock.now())))
}

/// Ends the item now, with its outcome. OWNER and ADMIN; its seller while it has no standing bid (403).
///
/// 409 `CLOSED`; 412 `PRECONDITION_FAILED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/{item_id}/close", tag = "outcomes",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch),
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn post_close_item(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    CurrentUser(user): CurrentUser,
    At(item): At<ItemPath>,
    IfMatch(if_match): IfMatch,
) -> Result<Response, Problem> {
    let closed = end_item(&context, &queue, item, user.id, if_match).await?;
    Ok(versioned(closed.item.version, ItemDocument::of(closed, context.clock.now())?))
}

/// Removes the item from the sale, with the outcome CANCELLED. Its bids stay in the list. OWNER and ADMIN
/// only.
///
/// 409 `CLOSED`; 412 `PRECONDITION_FAILED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/{item_id}/cancel", tag = "outcomes",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch), request_body = ItemCancellation,
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn post_cancel_item(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    CurrentUser(user): CurrentUser,
    At(item): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let cancelled = cancel_item(&context, &queue, item, user.id, body, if_match).await?;
    Ok(versioned(cancelled.item.version, ItemDocument::of(cancelled, context.clock.now())?))
}
