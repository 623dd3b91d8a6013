//! `/api/auctions/{auction_id}/export`

use std::io::ErrorKind;

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
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

/// Bytes of the file that are read at once.
const CHUNK: usize = 64 * 1024;

/// Everything in the auction as it is now: items, outcomes, bids (standing and withdrawn) and members, without e-mails.
/// OWNER and ADMIN only.
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
    let now = context.clock.now();
    let mut db = context.db.snapshot().await?;
    let auction = authorize(&mut db, auction_id, user.id, now).await?;
    let auction = auction.require(Action::ExportAuction)?;
    let format = read_format(&query)?;
    let (media_type, extension) = match format {
        Format::Csv => ("text/csv; charset=utf-8; header=present", "csv"),
        Format::Json => ("application/json", "json"),
    };
    let mut export = Export::begin(db, auction, format, now).await?;
    let mut file = File::from_std(tempfile::tempfile().map_err(unwritten)?);
    while let Some(part) = export.next().await? {
        file.write_all(&part).await.map_err(unwritten)?;
    }
    let size = file.stream_position().await.map_err(unwritten)?;
    file.rewind().await.map_err(unwritten)?;
    let name = format!("attachment; filename=\"auction-{auction_id}.{extension}\"");
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CONTENT_LENGTH, size.to_string()),
    ];
    Ok((headers, content(file)).into_response())
}

fn unwritten(error: std::io::Error) -> Problem {
    match error.kind() {
        ErrorKind::StorageFull => Problem::storage_full(),
        _ => Problem::internal(&error),
    }
}

/// The rest of the file. A client that reads slowly holds this file, not a transaction.
fn content(file: File) -> Body {
    let chunks = futures::stream::try_unfold(file, async |mut file| {
        let mut chunk = vec![0; CHUNK];
        let read = file.read(&mut chunk).await?;
        chunk.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then(|| (Bytes::from(chunk), file)))
    });
    Body::from_stream(chunks)
}

fn read_format(RawQuery(query): &RawQuery) -> Result<Format, Problem> {
    let query: Vec<(String, String)> =
        serde_urlencoded::from_str(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let given = query.iter().find(|(name, _)| name == "format");
    let format = given.map(|(_, format)| format.parse()).transpose();
    let format = format.map_err(|error: UnknownFormat| Problem::field("format", error.to_string()))?;
    Ok(format.unwrap_or(Format::Json))
}
