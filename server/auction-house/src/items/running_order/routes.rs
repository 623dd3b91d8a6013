//! `/api/auctions/{auction_id}/running-order`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::CalledItem;
use super::arrange::{ArrangeBody, arrange_item};
use super::list::running_order;
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::ids::ItemId;
use crate::path::AuctionPath;
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::paging::page;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::paging::Paged;
use platform::shape::New;

type PlaceRequest = New<ArrangeBody>;

/// The items that are still to be called, in order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunningOrder)]
pub struct RunningOrderDocument {
    pub items: Vec<CalledItemDocument>,
    pub next_cursor: Option<String>,
}

/// An item that is still to be called.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CalledItem)]
pub struct CalledItemDocument {
    #[schema(value_type = String)]
    pub id: ItemId,
    pub lot_number: String,
    pub name: String,
    /// Left out until it comes back.
    pub held: bool,
}

impl RunningOrderDocument {
    fn of(page: Paged<CalledItem>) -> Self {
        let page = page.map(|CalledItem { id, lot_number, name, is_held, .. }| CalledItemDocument {
            id,
            lot_number,
            name,
            held: is_held,
        });
        let page = page.within_bytes();
        Self { items: page.entries, next_cursor: page.next_cursor }
    }
}

/// The items that are still to be called in the hall, in order, with those that are held. OWNER, ADMIN and
/// CLERK only.
///
/// They are the published items that are not closed, by lot number unless they have been moved. A new item
/// comes by its lot number, behind those that have been given a place. A cursor that was given before a move
/// may skip or repeat items.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/running-order", tag = "hall", params(
        ("auction_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = RunningOrderDocument)))]
pub async fn get_running_order(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    query: RawQuery,
) -> Result<Json<RunningOrderDocument>, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.auction_id, user.id, now).await?.require(Action::RunHall)?;
    let found = running_order(&mut db, seen.auction.id, page(&query)?, now).await?;
    Ok(Json(RunningOrderDocument::of(found)))
}

/// Changes the place of one item in the running order; all others keep their order. OWNER, ADMIN and CLERK
/// only.
///
/// It is called directly before `before`, or else last. With `held` and without `before` it keeps its place,
/// and is left out while it is held. 422 for an item of another auction; 409 `ITEM_NOT_OPEN` for a draft and
/// a closed one. The auction's stream gets `order` if anything has changed.
#[utoipa::path(put, path = "/api/auctions/{auction_id}/running-order", tag = "hall",
    params(("auction_id" = String, Path)), request_body = PlaceRequest, responses((status = 204)))]
pub async fn put_running_order(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    arrange_item(&context, path.auction_id, user.id, body).await?;
    Ok(StatusCode::NO_CONTENT)
}
