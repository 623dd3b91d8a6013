//! `/api/auctions/{auction_id}/items/import`

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::document::{ImportedDocument, PreviewDocument};
use super::table::COLUMNS;
use super::{Target, import_items, preview_items};
use crate::books::holders::reach::Asker;
use crate::context::Context;
use crate::creations::Created;
use crate::path::AuctionPath;
use accounts::Accounts;
use accounts::extract::CurrentUser;
use platform::http::csv_body::CsvBody;
use platform::http::keyed::{self, GivenKey};
use platform::http::paging::{is_dry_run, parameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::table::{ReadingParameters, reading};
use platform::net::ClientAddress;
use platform::zone::Zone;

/// Creates and changes items by the rows of a table, all or none. OWNER, ADMIN and CREATOR only.
///
/// The columns are `lot`, `name`, `description`, `estimate`, `minimum` and `increment` in the default
/// currency, `currency` in a legacy auction, `seller` (number or e-mail of a member), `starts`, `ends` and
/// `published`, or usual names of these. A row whose lot exists, or without a lot one whose name one item
/// has, changes that item; a missing column and an empty cell change nothing. At most 5,000 rows, and
/// 1 MiB of CSV or 5 MB of `.xlsx` or `.ods`, of which the first visible sheet with a header is read, or the
/// one of `sheet`; `Idempotency-Key` is required. With `dryRun=true` nothing is written.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/import", tag = "items",
    params(("auction_id" = String, Path), ("dryRun" = Option<bool>, Query),
        ("timeZone" = Option<String>, Query, description = "Zone of local times, such as `Europe/Berlin`; UTC by default"),
        ReadingParameters, GivenKey),
    request_body(content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/vnd.oasis.opendocument.spreadsheet"))),
    responses((status = 200, body = PreviewDocument),
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
    let body = body.with_columns(&COLUMNS);
    let asker = Asker {
        limits: Arc::clone(&accounts.limits),
        address,
        sends_mail: context.notifier.outbox.sends_mail,
    };
    let target = Target { auction_id, user: user.id, zone: zone(&query)?, reading: reading(&query)?, asker };
    if is_dry_run(&query)? {
        let preview = preview_items(&context, target, || body.text()).await?;
        return context.work.compute(move || Json(PreviewDocument::from(preview)).into_response()).await;
    }
    let Created { resource: imported, replayed } = import_items(&context, target, body).await?;
    let document = (StatusCode::CREATED, Json(ImportedDocument::from(imported))).into_response();
    Ok(keyed::replayed(document, replayed))
}

fn zone(query: &RawQuery) -> Result<Zone, Problem> {
    let parameters = parameters(query);
    let named = parameters.iter().find(|(name, _)| name == "timeZone");
    let zone = named.map_or_else(|| Some(Zone::default()), |(_, name)| Zone::named(name));
    zone.ok_or_else(|| Problem::field("timeZone", "must be an IANA time zone such as Europe/Berlin"))
}
