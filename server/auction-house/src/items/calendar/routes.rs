//! `/api/auctions/{auction_id}/calendar.ics`

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::calendar;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::path::AuctionPath;
use accounts::extract::Reader;
use platform::http::HttpSettings;
use platform::http::problem::Problem;

/// The ends of the auction and of its published items as events of a calendar (RFC 5545), with links. The ids
/// of the events stay, so that a calendar that reads them again moves them.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/calendar.ics", tag = "auctions",
    params(("auction_id" = String, Path)),
    responses((status = 200, content_type = "text/calendar", body = String)))]
pub async fn get_calendar(
    State(context): State<Context>,
    State(http): State<Arc<HttpSettings>>,
    Reader { viewer, path, .. }: Reader<AuctionPath>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.auction_id, viewer, now).await?;
    let text = calendar(&mut db, &seen.auction, &http.site(&headers), now).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"auction.ics\""),
    ];
    Ok((headers, text).into_response())
}
