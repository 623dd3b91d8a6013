//! `/api/auctions/{auction_id}/items…`

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::body::{ItemBody, Misfit};
use super::create::{CreateItemError, create_item};
use super::document::{ItemDocument, ItemsDocument};
use super::see::{list_items, see_item};
use crate::accounts::session::CurrentUser;
use crate::auctions::access::see;
use crate::http::body::JsonBody;
use crate::http::etag::{created, versioned};
use crate::http::paging::page;
use crate::http::path::{At, AuctionPath, ItemPath};
use crate::http::problem::{Code, Problem};
use crate::members::Role;
use crate::state::AppState;

/// The auction's items, in the order in which they were made. Drafts are listed for their creator and the
/// auction's OWNER and ADMINs.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items", tag = "items", params(
        ("auction_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ItemsDocument)))]
pub async fn get_items(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    query: RawQuery,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = state.clock.now();
    let mut db = state.db.read().await?;
    let auction = see(&mut db, path.auction_id, user.id, now).await?;
    let found = list_items(&mut db, &auction, page(&query)?).await?;
    Ok(Json(ItemsDocument::of(found, now)?))
}

/// Adds an item. OWNER, ADMIN and CREATOR only.
///
/// 422 with `details.violations` where `minBidConstraint` is no bid of its currency; 409 `CLOSED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items", tag = "items",
    params(("auction_id" = String, Path)), request_body = ItemBody,
    responses((status = 201, body = ItemDocument)))]
pub async fn post_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let auction = see(&mut *state.db.read().await?, path.auction_id, user.id, now).await?;
    auction.require(Role::SELLERS)?;
    let made = create_item(&state, path.auction_id, user.id, body.read()?).await?;
    let location = format!("/api/auctions/{}/items/{}", path.auction_id, made.item.id);
    Ok(created(location, made.item.version, ItemDocument::of(made, now)?))
}

/// One item.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    responses((status = 200, body = ItemDocument)))]
pub async fn get_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<ItemPath>,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let mut db = state.db.read().await?;
    let auction = see(&mut db, path.auction_id, user.id, now).await?;
    let seen = see_item(&mut db, &auction, path.item_id).await?;
    Ok(versioned(seen.item.version, ItemDocument::of(seen, now)?))
}

impl From<Misfit> for Problem {
    fn from(misfit: Misfit) -> Self {
        Self::constraint(misfit.faults, misfit.violations)
    }
}

impl From<CreateItemError> for Problem {
    fn from(error: CreateItemError) -> Self {
        match error {
            CreateItemError::Access(error) => error.into(),
            CreateItemError::Invalid(misfit) => misfit.into(),
            CreateItemError::Closed => {
                Self::new(Code::Closed, "The auction is closed: it takes no more items.")
            }
        }
    }
}
