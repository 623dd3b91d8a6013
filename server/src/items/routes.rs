//! `/api/auctions/{auction_id}/items…`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::body::{ItemBody, Misfit};
use super::create::{CreateItemError, create_item};
use super::delete::{DeleteItemError, delete_item as delete};
use super::document::{ItemDocument, ItemsDocument};
use super::patch::{PatchItemError, patch_item as patch};
use super::see::{list_items, manage_item, see_in_auction};
use crate::accounts::session::CurrentUser;
use crate::auctions::access::see;
use crate::http::body::JsonBody;
use crate::http::etag::{IfMatch, created, versioned};
use crate::http::json::Json;
use crate::http::paging::page;
use crate::http::patch::MergePatch;
use crate::http::path::{At, AuctionPath, ItemPath};
use crate::http::problem::{Code, Problem};
use crate::members::Role;
use crate::state::AppState;

type ItemPatch = MergePatch<ItemBody>;

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
    responses((status = 201, body = ItemDocument, headers(("ETag"), ("Location")))))]
pub async fn post_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let auction = see(&mut state.db.read().await?, path.auction_id, user.id, now).await?;
    auction.require(Role::SELLERS)?;
    let made = create_item(&state, path.auction_id, user.id, body.read()?).await?;
    let location = format!("/api/auctions/{}/items/{}", path.auction_id, made.item.id);
    Ok(created(location, made.item.version, ItemDocument::of(made, now)?))
}

/// One item.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn get_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<ItemPath>,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let mut db = state.db.read().await?;
    let (_, seen) = see_in_auction(&mut db, path.auction_id, path.item_id, user.id, now).await?;
    Ok(versioned(seen.item.version, ItemDocument::of(seen, now)?))
}

/// Changes an item by a JSON merge patch. Its creator, OWNER and ADMIN only.
///
/// A `minBidConstraint` is merged too, where of `amount` and `enteredRepresentation` the one that is given takes
/// the place of the other. Left out, `endDate` stays wherever a late bid has moved it; null is the auction's. A
/// new end lies in the future.
///
/// 422 with `details.violations` where `minBidConstraint` is no bid of its currency. 412 `PRECONDITION_FAILED`.
/// 409 `CLOSED`; once there are bids `FROZEN` for `currencyCode`, `startingBid`, `minBidIncrement`,
/// `minBidConstraint` and `minIncrementNormalized`, and `HAS_BIDS` for unpublishing.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch),
    request_body(content = ItemPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = ItemDocument, headers(("ETag")))))]
pub async fn patch_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    manage_item(&mut state.db.read().await?, auction_id, item_id, user.id, now).await?;
    let changed = patch(&state, auction_id, item_id, user.id, body.read()?, &if_match).await?;
    Ok(versioned(changed.item.version, ItemDocument::of(changed, now)?))
}

/// Removes an item. Its creator, OWNER and ADMIN only.
///
/// 412 `PRECONDITION_FAILED`. 409 `HAS_BIDS`: an item that somebody has bid on stays for good.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/items/{item_id}", tag = "items",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_item(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&state, auction_id, item_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
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

impl From<PatchItemError> for Problem {
    fn from(error: PatchItemError) -> Self {
        let (code, detail) = match error {
            PatchItemError::Access(error) => return error.into(),
            PatchItemError::Invalid(misfit) => return misfit.into(),
            PatchItemError::Outdated(error) => return error.into(),
            PatchItemError::Closed => (Code::Closed, "The item is closed: it stays as it is."),
            PatchItemError::Frozen => {
                (Code::Frozen, "The item has bids: its currency, starting bid, minimum and increment stay.")
            }
            PatchItemError::HasBids => (Code::HasBids, "The item has bids: it stays published."),
        };
        Self::new(code, detail)
    }
}

impl From<DeleteItemError> for Problem {
    fn from(error: DeleteItemError) -> Self {
        match error {
            DeleteItemError::Access(error) => error.into(),
            DeleteItemError::Outdated(error) => error.into(),
            DeleteItemError::HasBids => {
                Self::new(Code::HasBids, "The item has bids: their record stays for good.")
            }
        }
    }
}
