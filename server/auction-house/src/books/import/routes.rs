//! `/api/books/{book_id}/import`, and the imports so far.

use std::sync::Arc;

use accounts::Accounts;
use accounts::extract::CurrentUser;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::undo::undo_import;
use super::{EXPECTED, EntriesRequest, EntryReason, Preview, Unknown, import, preview_import};
use crate::books::access::authorize;
use crate::books::document::ImportedEntriesDocument;
use crate::books::holders::reach::Asker;
use crate::context::Context;
use crate::creations::Created;
use crate::imports::document::{ImportDocument, ImportsDocument};
use crate::imports::{ImportPlace, Repeat};
use crate::path::{BookImportPath, BookPath};
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

/// Grants from a table with the header `email,amount,reason`, at most 5,000 rows, and 1 MiB of CSV or 5 MB of
/// `.xlsx`, `.ods`, JSON or XML: all rows or none. OWNER and TELLERs only.
///
/// A registered user who is not a holder becomes one. With `groupId` of a group that you keep, the column
/// `number` takes the place of `email`, and the group's people become holders. Where it is empty or absent,
/// the column `name` names the one holder, or the one person of the group, with that name. Of a spreadsheet
/// the first visible sheet with a header is read, or the one of `sheet`. With `dryRun=true` nothing is
/// written: 200 with the rows and the errors, or with a `format` of tables a file of the wrong rows. Rows of
/// unknown people are listed as `unknown`: they are errors, unless with `skipUnknown=true`, which leaves them
/// out, or `invite=true`, with which grants to e-mails wait for their users. Otherwise `Idempotency-Key` is
/// required. 409 `CLOSED`, `LIMIT_REACHED`, `IMPORTED_BEFORE` for a table that was imported before, unless
/// with `again=true`. 422 names each invalid row as `row N`, as a spreadsheet counts them. A user has one
/// import at a time, and 100 rows count as one write: 503 `OVERLOADED`, 429.
#[utoipa::path(post, operation_id = "post_book_import", path = "/api/books/{book_id}/import", tag = "books", params(("book_id" = String, Path),
        ("dryRun" = Option<bool>, Query), ("groupId" = Option<String>, Query),
        ("reason" = Option<String>, Query, description = "Reason of the rows without one, 1–500 characters"),
        ("again" = Option<bool>, Query, description = "Imports a table that was imported before"),
        ("skipUnknown" = Option<bool>, Query, description = "Leaves out rows of unknown people"),
        ("invite" = Option<bool>, Query, description = "Mails the book's link to unknown e-mails, for which their rows wait for 30 days"),
        ReadingParameters, FormatParameters, GivenKey),
    request_body(content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/vnd.oasis.opendocument.spreadsheet"),
        (JsonTable = "application/json"), (String = "application/xml"))),
    responses((status = 200, content((Preview = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 201, body = ImportedEntriesDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_import(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    address: ClientAddress,
    At(path): At<BookPath>,
    query: RawQuery,
    body: CsvBody,
) -> Result<Response, Problem> {
    let body = body.expecting(EXPECTED);
    let asker = Asker {
        limits: Arc::clone(&accounts.limits),
        address,
        sends_mail: context.notifier.outbox.sends_mail,
    };
    let group = match parameters(&query).into_iter().find(|(name, _)| name == "groupId") {
        Some((_, id)) => {
            Some(id.parse().map_err(|_| Problem::field("groupId", "must be the ID of a group"))?)
        }
        None => None,
    };
    let reason = parameters(&query).into_iter().find(|(name, _)| name == "reason");
    let reason = reason.map(|(_, text)| text.parse::<EntryReason>()).transpose();
    let reason = reason.map_err(|error| Problem::field("reason", error.to_string()))?;
    let repeat = Repeat::of(flag(&query, "again")?);
    let unknown = Unknown { skip: flag(&query, "skipUnknown")?, invite: flag(&query, "invite")? };
    let reading = reading(&query)?;
    let book = (
        path.book_id,
        EntriesRequest { group, reason, reading, repeat, unknown, ..EntriesRequest::default() },
    );
    if is_dry_run(&query)? {
        let (format, kept) = (ExportFormat::of(&query)?, KeptText::default());
        let preview = preview_import(&context, &asker, book, user.id, kept.of(body)).await?;
        if let ExportFormat::Table(format) = format {
            let file = move || kept.file(format, &preview.layout, &preview.errors);
            return context.work.compute(file).await?;
        }
        return context.work.compute(move || Json(preview.cut()).into_response()).await;
    }
    let Created { resource: written, replayed } = import(&context, &asker, book, user.id, body).await?;
    let document =
        move || (StatusCode::CREATED, Json(ImportedEntriesDocument::from(written))).into_response();
    Ok(keyed::replayed(context.work.compute(document).await?, replayed))
}

/// Imports of entries from tables, newest first. OWNER and TELLERs only.
#[utoipa::path(get, operation_id = "get_book_imports", path = "/api/books/{book_id}/imports", tag = "books",
    params(("book_id" = String, Path), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ImportsDocument)))]
pub async fn get_imports(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
) -> Result<Json<ImportsDocument>, Problem> {
    let mut db = context.db.read().await?;
    authorize(&mut db, book_id, user.id).await?.require_keeper()?;
    Ok(Json(ImportPlace::all_of(book_id).imports(&mut db, page(&query)?).await?.into()))
}

/// Undoes an import: each of its entries is reversed. OWNER and TELLERs only.
///
/// All or nothing. 409 `CHANGED` once one of them was reversed, `ALREADY_UNDONE`, `CLOSED`; `NOT_REVERSIBLE`
/// if a balance would exceed 10^15.
#[utoipa::path(post, operation_id = "post_undo_book_import", path = "/api/books/{book_id}/imports/{import_id}/undo", tag = "books",
    params(("book_id" = String, Path), ("import_id" = String, Path)),
    responses((status = 200, body = ImportDocument)))]
pub async fn post_undo_import(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookImportPath { book_id, import_id }): At<BookImportPath>,
) -> Result<Json<ImportDocument>, Problem> {
    Ok(Json(undo_import(&context, book_id, user.id, import_id).await?.into()))
}
