//! `PATCH` and `DELETE /api/auctions/{auction_id}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::delete::delete_auction as delete;
use super::patch::patch_auction as patch;
use crate::auctions::AuctionTerms;
use crate::auctions::document::AuctionDocument;
use crate::context::Context;
use crate::path::AuctionPath;
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, versioned};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::MergePatch;

type AuctionPatch = MergePatch<AuctionTerms>;

/// Changes an auction by a JSON merge patch. OWNER and ADMIN only.
///
/// The items' ends follow: with `itemEndMode` AUCTION_END all open items end with the auction, with NONE they
/// have no end, and with CUSTOM an own end that is later than the auction's new one gives way to it. A new
/// `endDate` is in the future. The anti-sniping defaults are for items that are made from now on.
///
/// 412 `PRECONDITION_FAILED`. 409 `CLOSED`, for `endDate` and `itemEndMode` from the auction's own end on;
/// `FROZEN` for another `itemEndMode` while there is a standing bid; `HAS_BIDS` for a `bidderVisibility` that
/// would reveal the names of bids, and for another `bookId`, which the OWNER alone changes; `LIMIT_REACHED`
/// for a book that would have more than 10,000 holders. Members become holders of a new book; 422
/// for one while the auction has items and no currency profile. The OWNER alone changes `groupId`, to a group
/// that they keep: all of its people become BIDDER, or keep the role that they have.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}", tag = "auctions",
    params(("auction_id" = String, Path), IfMatch),
    request_body(content = AuctionPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn patch_auction(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let changed = patch(&context, path.auction_id, user.id, body, &if_match).await?;
    Ok(versioned(changed.auction.version, AuctionDocument::of(changed, now)))
}

/// Removes an auction with its items, currencies, rules and members. OWNER only.
///
/// 412 `PRECONDITION_FAILED`. 409 `HAS_BIDS`: an auction with bids is kept.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}", tag = "auctions",
    params(("auction_id" = String, Path), IfMatch), responses((status = 204)))]
pub async fn delete_auction(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&context, path.auction_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}
