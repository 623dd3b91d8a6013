//! `POST …/bids/own/withdraw`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::{SealedWithdrawal, WithdrawSealed, WithdrawnSealed};
use crate::auctions;
use crate::auctions::people::PeopleShown;
use crate::bids::document::{BidDocument, WithdrawalDocument};
use crate::bids::queue::BidQueue;
use crate::bids::withdrawal::WithdrawnBy;
use crate::context::Context;
use crate::path::ItemPath;
use accounts::extract::Bidder;
use platform::body::Body;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::{self, New};
use platform::verb::VerbError;

type NewSealedWithdrawal = New<SealedWithdrawal>;

/// Take a sealed bid back, or all tickets of a draw, before the end: the own ones, at will; with `for` OWNER
/// and ADMIN withdraw those of a member, unseen (204). Nobody else learns that there was a sealed one. Of
/// several bids the answer is the newest.
///
/// 409 `NO_STANDING_BID` without one, also on an item of open bids, which are withdrawn by their sequence;
/// `CLOSED` from the end on. 403 `OWN_ITEM` for a manager who sells the item.
#[utoipa::path(
    post, path = "/api/auctions/{auction_id}/items/{item_id}/bids/own/withdraw", tag = "bids",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    request_body = NewSealedWithdrawal,
    responses(
        (status = 200, description = "The own bid, withdrawn", body = BidDocument),
        (status = 204, description = "The bid of a member is withdrawn"),
    )
)]
pub async fn post_withdraw_own(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    Bidder(user): Bidder,
    path: Result<At<ItemPath>, Problem>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let At(item) = path?;
    let request = body.read().and_then(|object| shape::parse(object).map_err(Problem::fields));
    let WithdrawnSealed { bid, by, at, reason, note } =
        queue.submit(WithdrawSealed { item, user_id: user.id, request }).await?;
    if by != WithdrawnBy::Bidder {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let mut db = context.db.read().await?;
    let auction = auctions::store::by_id(&mut db, item.auction_id, context.clock.now()).await?;
    let people = PeopleShown::of(&auction.ok_or(VerbError::<std::convert::Infallible>::NotFound)?);
    let document = BidDocument::of_apart(&bid, &people)?;
    let withdrawn = Some(WithdrawalDocument { at, by, reason, note });
    Ok(Json(BidDocument { withdrawn, overcommitted: Some(Vec::new()), ..document }).into_response())
}
