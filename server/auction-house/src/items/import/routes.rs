//! `/api/auctions/{auction_id}/items/import`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::document::{ImportedDocument, PreviewDocument};
use super::table::EXPECTED;
use super::undo::undo_import;
use super::{ImportTarget, import_items, place_of, preview_items};
use crate::books::holders::reach::Asker;
use crate::context::Context;
use crate::creations::Created;
use crate::imports::Repeat;
use crate::imports::document::{ImportDocument, ImportsDocument};
use crate::path::{AuctionPath, ItemImportPath};
use accounts::Accounts;
use accounts::extract::CurrentUser;
use platform::http::csv_body::CsvBody;
use platform::http::format::{ExportFormat, FormatParameters};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey};
use platform::http::paging::{flag, is_dry_run, page, parameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::table::{JsonTable, ReadingParameters, reading};
use platform::http::wrong_rows::KeptText;
use platform::net::ClientAddress;
use platform::typed_time::{DATES, LocalTimes, NoDateOrder};
use platform::zone::Zone;

/// Creates and changes items by the rows of a table, all or none. OWNER, ADMIN and CREATOR only.
///
/// The columns are `lot`, `name`, `description`, `estimate`, `minimum` and `increment` in the default
/// currency, `currency` in a legacy auction, `seller` (number or e-mail of a member), `starts`, `ends` and
/// `published`, or usual names of these. A row whose lot exists, or without a lot one whose name one item
/// has, changes that item; a missing column and an empty cell change nothing. At most 5,000 rows, and 1 MiB
/// of CSV or 5 MB of `.xlsx` or `.ods`, of which the first visible sheet with a header is read, or the one of
/// `sheet`, or of JSON or XML; `Idempotency-Key` is required. With `dryRun=true` nothing is written, and with
/// a `format` of tables the answer is a file of the wrong rows. 409 `IMPORTED_BEFORE` for a table that was
/// imported before, unless with `again=true`.
#[utoipa::path(post, operation_id = "post_item_import", path = "/api/auctions/{auction_id}/items/import", tag = "items",
    params(("auction_id" = String, Path), ("dryRun" = Option<bool>, Query),
        ("timeZone" = Option<String>, Query, description = "Zone of local times, such as `Europe/Berlin`; UTC by default"),
        ("dates" = Option<String>, Query, description = "`DMY` or `MDY`: which part of a date such as `1/2/2026` stands first"),
        ("again" = Option<bool>, Query, description = "Imports a table that was imported before"),
        ReadingParameters, FormatParameters, GivenKey),
    request_body(content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/vnd.oasis.opendocument.spreadsheet"),
        (JsonTable = "application/json"), (String = "application/xml"))),
    responses((status = 200, content((PreviewDocument = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 201, body = ImportedDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_import(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    address: ClientAddress,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    query: RawQuery,
    body: CsvBody,
) -> Result<Response, Problem> {
    let body = body.expecting(EXPECTED);
    let asker = Asker {
        limits: Arc::clone(&accounts.limits),
        address,
        sends_mail: context.notifier.outbox.sends_mail,
    };
    let target = ImportTarget {
        auction_id,
        user: user.id,
        times: local_times(&query)?,
        reading: reading(&query)?,
        asker,
        repeat: Repeat::of(flag(&query, "again")?),
    };
    if is_dry_run(&query)? {
        let (format, kept) = (ExportFormat::of(&query)?, KeptText::default());
        let preview = preview_items(&context, target, kept.of(body)).await?;
        if let ExportFormat::Table(format) = format {
            let file = move || kept.file(format, &preview.layout, &preview.plan.errors);
            return context.work.compute(file).await?;
        }
        return context.work.compute(move || Json(PreviewDocument::from(preview)).into_response()).await;
    }
    let Created { resource: imported, replayed } = import_items(&context, target, body).await?;
    let document = (StatusCode::CREATED, Json(ImportedDocument::from(imported))).into_response();
    Ok(keyed::replayed(document, replayed))
}

/// Imports of items from tables, newest first. OWNER and ADMIN; CLERK and CREATOR see their own.
#[utoipa::path(get, operation_id = "get_item_imports", path = "/api/auctions/{auction_id}/items/imports", tag = "items",
    params(("auction_id" = String, Path), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ImportsDocument)))]
pub async fn get_imports(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    query: RawQuery,
) -> Result<Json<ImportsDocument>, Problem> {
    let mut db = context.db.read().await?;
    let place = place_of(&mut db, auction_id, user.id, context.clock.now()).await?;
    Ok(Json(place.imports(&mut db, page(&query)?).await?.into()))
}

/// Undoes an import: the items that it created are deleted, and those that it changed are as they were.
///
/// All or nothing. 409 `CHANGED` once one of them was changed, bid on or closed; `ALREADY_UNDONE`, `CLOSED`.
/// OWNER and ADMIN; CLERK and CREATOR undo their own.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/imports/{import_id}/undo", tag = "items",
    params(("auction_id" = String, Path), ("import_id" = String, Path)),
    responses((status = 200, body = ImportDocument)))]
pub async fn post_undo(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemImportPath { auction_id, import_id }): At<ItemImportPath>,
) -> Result<Json<ImportDocument>, Problem> {
    Ok(Json(undo_import(&context, auction_id, user.id, import_id).await?.into()))
}

fn local_times(query: &RawQuery) -> Result<LocalTimes, Problem> {
    let parameters = parameters(query);
    let named = |name: &str| parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let zone = named("timeZone").map_or_else(|| Some(Zone::default()), |name| Zone::named(name));
    let no_zone = || Problem::field("timeZone", "must be an IANA time zone such as Europe/Berlin");
    let order = named(DATES).map(|order| order.parse()).transpose();
    Ok(LocalTimes {
        zone: zone.ok_or_else(no_zone)?,
        order: order.map_err(|error: NoDateOrder| Problem::field(DATES, error.to_string()))?,
    })
}
