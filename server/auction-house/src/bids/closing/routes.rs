//! Closing items and auctions, and their further outcomes, over HTTP (SPEC, sections 3 and 15).

use axum::extract::State;
use axum::response::Response;

use super::cancel_item::{Cancellation, cancel_item};
use super::close_auction::close_auction;
use super::correct::correct_outcome;
use super::end_item::end_item;
use super::next_outcome::NextOutcome;
use crate::auctions::document::AuctionDocument;
use crate::bids::queue::BidQueue;
use crate::context::Context;
use crate::creations::Created;
use crate::items::document::ItemDocument;
use crate::items::outcomes::decide::decide_outcome;
use crate::path::{AuctionPath, ItemPath};
use accounts::extract::CurrentUser;
use platform::body::ReadBody;
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, versioned};
use platform::http::keyed::{self, GivenKey, KeyedBody};
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

/// Sells a closed item to another bidder, to nobody, or to any member at any price. The item gets a further
/// outcome, which is in force from then on; the earlier ones stay in the list.
///
/// With `sequence` it is sold to the bidder of that standing bid, or with null to nobody: OWNER and ADMIN
/// only. With `for` the outcome is a correction: it is sold to that member at that price, which becomes no
/// bid, so that `bid.sequence` is null; OWNER, ADMIN, and CLERK for 10 minutes after the item was closed (409
/// `TOO_LATE`). The input phase and the balance apply to the price, the rules do not.
///
/// 422 for a sequence that is no standing bid of the item, and a number that nobody has. 403 `OWN_ITEM`. 412
/// `PRECONDITION_FAILED`. With an `Idempotency-Key` a repeat gets the item as it is by then, and adds no
/// outcome. 409 `NOT_CLOSED` before the item has an outcome, `NOT_SOLD` for a draw that was not held,
/// `CLOSED` if it was cancelled, or the auction's book is closed. In an auction with a book the charge of the
/// outcome before is reversed, and the new winner charged. A draw takes no `for` (422), and its charges stay.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/{item_id}/outcome", tag = "outcomes",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch, GivenKey),
    request_body = NextOutcome,
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn post_outcome(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(item): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let body = ReadBody::of(body);
    let Created { resource: decided, replayed } = if body.gives("for") {
        correct_outcome(&context, item, user.id, body, &if_match).await?
    } else {
        decide_outcome(&context, item, user.id, body, &if_match).await?
    };
    let version = decided.item.version;
    let document = ItemDocument::of(decided, context.clock.now())?;
    Ok(keyed::replayed(versioned(version, document), replayed))
}
