//! Bids over HTTP (SPEC, section 6).

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::bids::document::{BidDocument, BidsDocument, VerdictDocument};
use crate::bids::entered::{BidBody, BidOf};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::list::{self, BidRange, LIMIT_DEFAULT, LIMIT_MAX};
use crate::bids::place::{BidRefusal, BidRequest, PlaceBid, Placed};
use crate::bids::queue::BidQueue;
use crate::bids::validate::validate;
use crate::bids::written::written;
use crate::context::Context;
use crate::engine::field_errors;
use crate::items::access::view_in_auction;
use crate::path::ItemPath;
use accounts::Person;
use accounts::extract::{Bidder, Reader};
use platform::http::body::JsonBody;
use platform::http::json::{self, Json};
use platform::http::keyed::{self, GivenKey};
use platform::http::paging::parameters;
use platform::http::path::At;
use platform::http::problem::{FieldError, Problem};
use platform::verb::VerbError;

/// Place a bid. It is on the disk when this is answered with 201.
///
/// With `for` OWNER, ADMIN and CLERK bid for a member, as if that member had sent the bid; 422 for a number
/// that nobody has, and for a user who is no member.
#[utoipa::path(
    post, path = "/api/auctions/{auction_id}/items/{item_id}/bids", tag = "bids",
    params(
        ("auction_id" = String, Path), ("item_id" = String, Path),
        GivenKey,
    ),
    request_body = BidBody,
    responses((status = 201, description = "Accepted", body = BidDocument, headers(
        ("Location" = String, description = "The bid in the item's list"),
        ("Idempotent-Replayed" = Option<String>, description = "`true`: placed by an earlier request"),
    )))
)]
pub async fn post_bid(
    State(queue): State<BidQueue>,
    Bidder(user): Bidder,
    path: Result<At<ItemPath>, Problem>,
    GivenKey(key): GivenKey,
    body: JsonBody,
) -> Result<Response, Problem> {
    let At(path) = path?;
    let request = read_bid(&body).and_then(|BidOf { entered, named }| {
        let keyed = key?.map(|key| KeyedRequest::new(key, body.bytes()));
        Ok(BidRequest { entered, named, keyed })
    });
    let sender = Person { id: user.id, name: user.name.clone() };
    created(queue.submit(PlaceBid { item: path, sender, may_join: !user.is_managed(), request }).await?)
}

/// What would become of a bid. Nothing is stored.
#[utoipa::path(
    post, path = "/api/auctions/{auction_id}/items/{item_id}/bids/validate", tag = "bids",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    request_body = BidBody,
    responses((status = 200, description = "The verdict", body = VerdictDocument))
)]
pub async fn post_validate(
    State(context): State<Context>,
    Bidder(user): Bidder,
    path: Result<At<ItemPath>, Problem>,
    body: JsonBody,
) -> Result<Json<VerdictDocument>, Problem> {
    let At(path) = path?;
    let now = context.clock.now();
    let conn = &mut context.db.read().await?;
    Ok(Json(match validate(conn, path, &user, read_bid(&body), now).await {
        Err(VerbError::Refused(BidRefusal::Rejected(rejection))) => rejection.into(),
        verdict => verdict?.into(),
    }))
}

/// An item's bids, newest first. While bids are sealed, only the viewer's own.
#[utoipa::path(
    get, path = "/api/auctions/{auction_id}/items/{item_id}/bids", tag = "bids",
    params(
        ("auction_id" = String, Path), ("item_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("before" = Option<i64>, Query, description = "Only bids of a lower sequence: the last `nextBefore`"),
    ),
    responses((status = 200, description = "A page of the list", body = BidsDocument))
)]
pub async fn get_bids(
    State(context): State<Context>,
    Reader { viewer, path, .. }: Reader<ItemPath>,
    query: RawQuery,
) -> Result<Json<BidsDocument>, Problem> {
    let conn = &mut context.db.read().await?;
    let now = context.clock.now();
    // The item comes first: a viewer who may not see it is not told what is wrong with the query.
    let (_, seen) = view_in_auction(conn, path.auction_id, path.item_id, viewer, now).await?;
    let page = read_page(&query)?;
    if let Some(own) = list::own_sealed(conn, &seen).await? {
        return Ok(Json(BidsDocument::of_sealed(&own, &seen.people)?));
    }
    let listed = list::list(conn, &seen, now, page).await?;
    Ok(Json(BidsDocument::of(listed, seen.item.terms.format.draw(), &seen.people)?))
}

fn read_bid(body: &JsonBody) -> Result<BidOf, Problem> {
    let body: BidBody = body.read()?;
    BidOf::try_from(body).map_err(|errors| Problem::fields(field_errors(errors)))
}

fn read_page(query: &RawQuery) -> Result<BidRange, Problem> {
    let mut range = BidRange { limit: LIMIT_DEFAULT, before: None };
    let mut errors = Vec::new();
    for (name, text) in parameters(query) {
        match name.as_str() {
            "limit" => match text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit)) {
                Some(limit) => range.limit = limit,
                None => {
                    errors.push(FieldError::new(name, format!("must be an integer from 1 to {LIMIT_MAX}")));
                }
            },
            "before" => match text.parse() {
                Ok(before) => range.before = Some(before),
                Err(_) => errors.push(FieldError::new(name, "must be the `nextBefore` of an earlier page")),
            },
            _ => {}
        }
    }
    if errors.is_empty() { Ok(range) } else { Err(Problem::fields(errors)) }
}

fn created(placed: Placed) -> Result<Response, Problem> {
    let Placed { bid, people, replayed } = placed;
    let document = BidDocument::of_placed(bid, &people)?;
    // A bid has no page of its own: the list that ends with it has it.
    let (auction, item) = (document.auction_id, document.item_id);
    let location = match document.sequence.map(|sequence| sequence + 1) {
        Some(end) => format!("/api/auctions/{auction}/items/{item}/bids?limit=1&before={end}"),
        None => format!("/api/auctions/{auction}/items/{item}/bids?limit=1"),
    };
    let text = written(&document).map_err(|error| Problem::internal(&error))?;
    let mut response = json::answer(text);
    *response.status_mut() = StatusCode::CREATED;
    let location = HeaderValue::try_from(location).map_err(|error| Problem::internal(&error))?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(keyed::replayed(response, replayed))
}
