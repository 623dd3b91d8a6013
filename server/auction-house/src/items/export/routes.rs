//! `/api/auctions/{auction_id}/items/export`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::ItemExport;
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

/// A row of the table; the cells of the import.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportedItem)]
pub struct ExportedItem {
    lot: String,
    name: String,
    description: Option<String>,
    estimate: Option<String>,
    minimum: Option<String>,
    increment: Option<String>,
    currency: Option<String>,
    seller: Option<String>,
    starts: Option<String>,
    ends: Option<String>,
    published: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExportedItems)]
pub struct ExportedItems {
    items: Vec<ExportedItem>,
}

/// All items as a table with the columns of their import, which reads it again: into the same auction it
/// changes nothing. OWNER and ADMIN only.
///
/// Minima and increments are in the default currency, empty where no bid in it is worth as much. A seller is
/// the number in the auction's group. A cell of CSV that a spreadsheet could execute begins with an
/// apostrophe. A user has one export at a time: another one waits, and is 503 `OVERLOADED` after 10 s.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/export", tag = "items", params(
        ("auction_id" = String, Path),
        FormatParameters),
    responses((status = 200, content((ExportedItems = "application/json"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn get_item_table(
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
    let name = format!("items-{auction_id}");
    let export = ExportRequest { user: user.id, read, format, name };
    let (user, clock) = (user.id, Arc::clone(&context.clock));
    let begun = async move |mut db: Snapshot| {
        let seen = authorize(&mut db, auction_id, user, clock.now()).await?;
        Ok(ItemExport::begin(db, seen.require(Action::ExportAuction)?, format).await?)
    };
    context.export(export, begun).await
}
