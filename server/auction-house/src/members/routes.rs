//! `/api/auctions/{auction_id}/join`

use axum::extract::State;
use axum::response::Response;

use super::join::{JoinBody, join};
use crate::accounts::extract::CurrentUser;
use crate::auctions::document::AuctionDocument;
use crate::context::Context;
use crate::path::AuctionPath;
use platform::http::body::JsonBody;
use platform::http::etag::versioned;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type JoinRequest = New<JoinBody>;

/// Joins an auction as a bidder: FREE as is, LINK with its token.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/join", tag = "members",
    params(("auction_id" = String, Path)), request_body = Option<JoinRequest>,
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_join(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = join(&context, path.auction_id, user.id, body.or_empty()).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}
