//! `/api/auctions/{auction_id}/export`

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::json::ExportSchema;
use super::{Export, Format, UnknownFormat};
use crate::access::Action;
use crate::accounts::extract::CurrentUser;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::path::AuctionPath;
use platform::http::path::At;
use platform::http::problem::Problem;

/// Everything in the auction: items, outcomes, bids (standing and withdrawn) and members, without e-mails. OWNER and ADMIN
/// only.
///
/// JSON is an object of four lists, whose entries are those of the API. CSV is one table whose first column `kind` is
/// `ITEM`, `OUTCOME`, `BID` or `MEMBER`; a cell that a spreadsheet could execute begins with an apostrophe.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/export", tag = "outcomes", params(
        ("auction_id" = String, Path),
        ("format" = Option<String>, Query, description = "`csv` or `json`, the default")),
    responses((status = 200, content((ExportSchema = "application/json"), (String = "text/csv")))))]
pub async fn get_export(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    query: RawQuery,
) -> Result<Response, Problem> {
    let mut db = context.db.read().await?;
    let auction = authorize(&mut db, auction_id, user.id, context.clock.now()).await?;
    let auction = auction.require(Action::ExportAuction)?;
    drop(db);
    let format = read_format(&query)?;
    let (media_type, extension) = match format {
        Format::Csv => ("text/csv; charset=utf-8; header=present", "csv"),
        Format::Json => ("application/json", "json"),
    };
    let export = Export::begin(context, auction, format).await?;
    let parts = futures::stream::try_unfold(export, async |mut export| {
        let part = export.next().await?;
        Ok::<_, platform::db::DbError>(part.map(|part| (Bytes::from(part), export)))
    });
    let file = format!("attachment; filename=\"auction-{auction_id}.{extension}\"");
    let headers = [(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, Body::from_stream(parts)).into_response())
}

fn read_format(RawQuery(query): &RawQuery) -> Result<Format, Problem> {
    let query: Vec<(String, String)> =
        serde_urlencoded::from_str(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let given = query.iter().find(|(name, _)| name == "format");
    let format = given.map(|(_, format)| format.parse()).transpose();
    let format = format.map_err(|error: UnknownFormat| Problem::field("format", error.to_string()))?;
    Ok(format.unwrap_or(Format::Json))
}
