//! `/api/auctions/{auction_id}/export`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::Export;
use super::json::ExportSchema;
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::path::AuctionPath;
use accounts::extract::CurrentUser;
use platform::http::download::{Format, attachment, write};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;

/// Everything in the auction as it is now: items, outcomes, bids (standing and withdrawn) and members,
/// without e-mails. OWNER and ADMIN only.
///
/// JSON is an object of four lists, whose entries are those of the API. CSV is one table whose first column
/// `kind` is `ITEM`, `OUTCOME`, `BID` or `MEMBER`; a cell that a spreadsheet could execute begins with an
/// apostrophe. A user has one export at a time: another one waits, and is 503 `OVERLOADED` after 10 s.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/export", tag = "outcomes", params(
        ("auction_id" = String, Path),
        ("format" = Option<String>, Query, description = "`csv` or `json`, the default")),
    responses((status = 200, content((ExportSchema = "application/json"), (String = "text/csv")))))]
pub async fn get_export(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    query: RawQuery,
    read: ReadPermit,
) -> Result<Response, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, auction_id, user.id, context.clock.now()).await?;
    seen.require(Action::ExportAuction)?;
    drop(db);
    let format = Format::of(&query)?;
    let permit = context.work.begin_export(user.id, read).await?;
    let (work, user) = (Arc::clone(&context.work), user.id);
    let written = work.run(async move {
        let now = context.clock.now();
        let mut db = context.db.long_snapshot().await?;
        let auction = authorize(&mut db, auction_id, user, now).await?.require(Action::ExportAuction)?;
        write(Export::begin(db, auction, format, now).await?).await
    });
    Ok(attachment(&format!("auction-{auction_id}"), format, written.await??, permit, work.threads()))
}
