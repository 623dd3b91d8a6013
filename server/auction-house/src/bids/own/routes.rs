//! `/api/user/bids`

use axum::extract::{RawQuery, State};

use super::Position;
use super::document::OwnBidsDocument;
use super::list::list_own_bids;
use crate::context::Context;
use accounts::extract::CurrentUser;
use platform::fields::FieldError;
use platform::http::json::Json;
use platform::http::paging::{page, parameters};
use platform::http::problem::Problem;

/// The items on which you have a standing bid, in all auctions that you may see: one entry for each item,
/// with your newest standing bid and your position. Newest items first. A page has at most 256 KiB and may
/// have fewer entries than `limit`; descriptions are cut after 300 characters, with `descriptionCut`.
#[utoipa::path(get, path = "/api/user/bids", tag = "bids", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before"),
        ("status" = Option<String>, Query,
            description = "Only one position: `leading`, `outbid`, `won`, `lost` or `standing`")),
    responses((status = 200, body = OwnBidsDocument)))]
pub async fn get_own_bids(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<OwnBidsDocument>, Problem> {
    let now = context.clock.now();
    let (page, position) = (page(&query)?, status(&query)?);
    let mut db = context.db.read().await?;
    let found = list_own_bids(&mut db, user.id, position, page, now).await?;
    Ok(Json(OwnBidsDocument::of(found, now)?))
}

fn status(query: &RawQuery) -> Result<Option<Position>, Problem> {
    let given = parameters(query).into_iter().find(|(name, _)| name == "status");
    let Some((_, value)) = given else { return Ok(None) };
    let position = Position::of_query(&value);
    let error =
        || Problem::fields(vec![FieldError::new("status", "must be leading, outbid, won, lost or standing")]);
    position.map(Some).ok_or_else(error)
}
