//! `/api/user/items` and `/api/user/watched`

use axum::extract::{RawQuery, State};

use super::list::{list_sold, list_watched};
use crate::context::Context;
use crate::items::document::ItemsDocument;
use accounts::extract::CurrentUser;
use platform::http::json::Json;
use platform::http::paging::page;
use platform::http::problem::Problem;

/// The items that you sell, in all auctions that you may see, newest first. A page has at most 256 KiB and
/// may have fewer items than `limit`; descriptions are cut after 300 characters, with `descriptionCut`.
#[utoipa::path(get, path = "/api/user/items", tag = "items", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ItemsDocument)))]
pub async fn get_own_items(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = context.clock.now();
    let page = page(&query)?;
    let mut db = context.db.read().await?;
    let found = list_sold(&mut db, user.id, page, now).await?;
    Ok(Json(ItemsDocument::of(found.map(|seen| seen.item), now)?))
}

/// The items that you watch, in all auctions, newest first. A page has at most 256 KiB and may have fewer
/// items than `limit`; descriptions are cut after 300 characters, with `descriptionCut`.
#[utoipa::path(get, path = "/api/user/watched", tag = "items", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ItemsDocument)))]
pub async fn get_watched_items(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<ItemsDocument>, Problem> {
    let now = context.clock.now();
    let page = page(&query)?;
    let mut db = context.db.read().await?;
    let found = list_watched(&mut db, user.id, page, now).await?;
    Ok(Json(ItemsDocument::of(found.map(|seen| seen.item), now)?))
}
