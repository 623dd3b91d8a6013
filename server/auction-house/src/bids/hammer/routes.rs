//! `POST /api/auctions/{auction_id}/items/{item_id}/hammer`

use axum::extract::State;
use axum::response::Response;

use super::{HammerBody, HammerItem, hammer};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::queue::BidQueue;
use crate::context::Context;
use crate::items::document::ItemDocument;
use crate::path::ItemPath;
use accounts::Person;
use accounts::extract::CurrentUser;
use platform::fields::FieldError;
use platform::http::body::JsonBody;
use platform::http::etag::versioned;
use platform::http::keyed::{self, GivenKey};
use platform::http::path::At;
use platform::http::problem::Problem;

/// Sells or passes an item, and closes it with its outcome. OWNER, ADMIN and CLERK only.
///
/// SOLD with `for` places the bid of that member and sells at it; for the leader at exactly the standing
/// price it sells at that bid. SOLD without `for` sells to the leader at the standing price (409
/// `NO_STANDING_BID`). PASSED gives the outcome UNSOLD with the reason `passed`; the bids stay in the list.
/// With `override` the rules named there do not count, and the bid keeps their codes as `overridden`; the
/// input phase, EQUAL_NOT_HIGHER and INSUFFICIENT_BALANCE always count.
///
/// 409 `CLOSED` for a closed item, `ITEM_NOT_OPEN` for a draft and before its start. 403 `OWN_ITEM` for the
/// seller as buyer. A repeat with the same `Idempotency-Key`, which is required, gets the item as it is by
/// then; a refused hammer changes nothing, and its repeat is judged again.
#[utoipa::path(
    post, path = "/api/auctions/{auction_id}/items/{item_id}/hammer", tag = "hall",
    params(("auction_id" = String, Path), ("item_id" = String, Path), GivenKey),
    request_body = HammerBody,
    responses((status = 200, description = "The item with its outcome", body = ItemDocument, headers(
        ("ETag"),
        ("Idempotent-Replayed" = Option<String>, description = "`true`: hammered by an earlier request"),
    )))
)]
pub async fn post_hammer(
    State(context): State<Context>,
    State(queue): State<BidQueue>,
    CurrentUser(user): CurrentUser,
    path: Result<At<ItemPath>, Problem>,
    GivenKey(key): GivenKey,
    body: JsonBody,
) -> Result<Response, Problem> {
    let At(item) = path?;
    let key = key.and_then(|key| key.ok_or_else(missing_key));
    let keyed = key.map(|key| KeyedRequest::new(key, body.bytes()));
    let call = body.read::<HammerBody>().and_then(HammerBody::read);
    let request = call.and_then(|call| Ok((call, keyed?)));
    let clerk = Person { id: user.id, name: user.name.clone() };
    let hammered = hammer(&context, &queue, HammerItem { item, clerk, request }).await?;
    let version = hammered.resource.item.version;
    let document = ItemDocument::of(hammered.resource, context.clock.now())?;
    Ok(keyed::replayed(versioned(version, document), hammered.replayed))
}

fn missing_key() -> Problem {
    Problem::fields(vec![FieldError::missing("Idempotency-Key")])
}
