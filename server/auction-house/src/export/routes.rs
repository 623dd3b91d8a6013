//! `/api/auctions/{auction_id}/export`

use std::sync::Arc;

use axum::extract::{RawQuery, State};

use super::Export;
use super::json::ExportSchema;
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::context::{Context, ExportRequest};
use crate::path::AuctionPath;
use accounts::extract::CurrentUser;
use platform::db::Snapshot;
use platform::http::download::Attachment;
use platform::http::format::{ExportFormat, FormatParameters};
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
        FormatParameters),
    responses((status = 200, content((ExportSchema = "application/json"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn get_export(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    query: RawQuery,
    read: ReadPermit,
) -> Result<Attachment, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, auction_id, user.id, context.clock.now()).await?;
    seen.require(Action::ExportAuction)?;
    drop(db);
    let format = ExportFormat::of(&query)?;
    let name = format!("auction-{auction_id}");
    let export = ExportRequest { user: user.id, read, format, name };
    let (user, clock) = (user.id, Arc::clone(&context.clock));
    let begun = async move |mut db: Snapshot| {
        let now = clock.now();
        let auction = authorize(&mut db, auction_id, user, now).await?.require(Action::ExportAuction)?;
        Ok(Export::begin(db, auction, format, now).await?)
    };
    context.export(export, begun).await
}
