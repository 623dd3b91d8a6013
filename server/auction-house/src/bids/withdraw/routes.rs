//! `POST …/bids/{sequence}/withdraw`

use std::sync::Arc;

use axum::extract::State;

use super::{WithdrawResponse, WithdrawalBody, withdraw};
use crate::bids::KnownPeople;
use crate::bids::document::{BidDocument, OvercommittedDocument};
use crate::bids::queue::BidQueue;
use crate::context::Context;
use crate::path::BidPath;
use accounts::extract::Bidder;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type NewWithdrawal = New<WithdrawalBody>;

/// Withdraw a bid. It stays in the list, marked, and the highest standing bid leads again.
///
/// OWNER and ADMIN withdraw any standing bid of another user; 409 `CLOSED`. On an item that they sell another
/// OWNER or ADMIN does it (403 `ASK_ANOTHER_MANAGER`); without one they may, with a `note`, as SELLER.
/// A bidder takes their own bid back, as MISTYPED or WRONG_ITEM, while it is the newest of all bids and
/// leads, for 60 seconds and not within the anti-sniping threshold of the end (409 `TOO_LATE`), at most 3
/// times in an auction (409 `LIMIT_REACHED`). In an auction with a book `overcommitted` names the bidder who
/// leads then, if their leading bids exceed what they have. A repeat, even with another reason, gets the
/// first response.
#[utoipa::path(
    post, path = "/api/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw", tag = "bids",
    params(("auction_id" = String, Path), ("item_id" = String, Path), ("sequence" = i64, Path)),
    request_body = NewWithdrawal,
    responses((status = 200, description = "The bid, withdrawn, with `overcommitted`", body = BidDocument))
)]
pub async fn post_withdraw(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    Bidder(user): Bidder,
    path: Result<At<BidPath>, Problem>,
    body: JsonBody,
) -> Result<Json<BidDocument>, Problem> {
    let At(path) = path?;
    let WithdrawResponse { bid, tickets, people, overcommitted } =
        withdraw(&context, &queue, path, user.id, body).await?;
    let document = BidDocument::new(Arc::unwrap_or_clone(bid), KnownPeople::ALL, &people)?;
    let overcommitted = overcommitted.into_iter().map(OvercommittedDocument::from).collect();
    Ok(Json(BidDocument { tickets, overcommitted: Some(overcommitted), ..document }))
}
