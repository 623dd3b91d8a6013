//! `/api/books/{book_id}/runs…`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::body::RunBody;
use super::create::{create_run, preview_run};
use super::document::{BookRunDocument, RunPreviewDocument, RunsDocument};
use super::list::{list_runs, whole};
use super::reverse::reverse_run;
use crate::books::access::authorize;
use crate::books::entries::reverse::ReverseBody;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{BookPath, RunPath};
use accounts::extract::CurrentUser;
use platform::db::DbError;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::{is_dry_run, page};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;

type NewRun = New<RunBody>;
type ReverseRequest = New<ReverseBody>;

/// Shares what was spent, or lets balances decay: one entry for each holder, all of them or none. OWNER and
/// TELLERs only.
///
/// With `dryRun=true` nothing is written: 200 with the rows and their `hash`. Otherwise `Idempotency-Key` is
/// required, and `expect` binds the run to the preview with this hash: 409 `CHANGED`. 409 `POT_EMPTY`,
/// `PERIOD_TAKEN`, `CLOSED`. 422 if no balance would change, or one would exceed 10^15.
#[utoipa::path(post, operation_id = "post_book_run", path = "/api/books/{book_id}/runs", tag = "books",
    params(("book_id" = String, Path), ("dryRun" = Option<bool>, Query), GivenKey), request_body = NewRun,
    responses((status = 200, body = RunPreviewDocument),
        (status = 201, body = BookRunDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_run(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
    body: KeyedBody,
) -> Result<Response, Problem> {
    if is_dry_run(&query)? {
        let judged = preview_run(&context, book_id, user.id, body).await?;
        let document =
            move || RunPreviewDocument::try_from(judged).map(|preview| Json(preview).into_response());
        return Ok(context.work.compute(document).await?.map_err(DbError::Json)?);
    }
    let Created { resource, replayed } = create_run(&context, book_id, user.id, body).await?;
    let document = move || (StatusCode::CREATED, Json(BookRunDocument::from(resource))).into_response();
    Ok(keyed::replayed(context.work.compute(document).await?, replayed))
}

/// Runs, newest first, without their rows: shares, decays, grants to several holders, and imports. OWNER and
/// TELLERs only.
#[utoipa::path(get, operation_id = "get_book_runs", path = "/api/books/{book_id}/runs", tag = "books",
    params(("book_id" = String, Path), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = RunsDocument)))]
pub async fn get_runs(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
) -> Result<Json<RunsDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, book_id, user.id).await?.require_keeper()?;
    Ok(Json(list_runs(&mut db, &seen, page(&query)?).await?.into()))
}

/// One run with its rows. OWNER and TELLERs only.
#[utoipa::path(get, operation_id = "get_book_run", path = "/api/books/{book_id}/runs/{number}", tag = "books",
    params(("book_id" = String, Path), ("number" = i64, Path)), responses((status = 200, body = BookRunDocument)))]
pub async fn get_run(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(RunPath { book_id, number }): At<RunPath>,
) -> Result<Response, Problem> {
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, book_id, user.id).await?.require_keeper()?;
    let run = whole(&mut db, &seen, number).await?.ok_or_else(Problem::not_found)?;
    drop(db);
    context.work.compute(move || Json(BookRunDocument::from(run)).into_response()).await
}

/// Reverses a run: the opposite of each of its entries, once. OWNER and TELLERs only.
///
/// All or nothing. 409 `ALREADY_REVERSED`, `CLOSED`; `CHANGED` once one of its grants was reversed;
/// `NOT_REVERSIBLE` if a balance would exceed 10^15.
#[utoipa::path(post, operation_id = "post_reverse_book_run", path = "/api/books/{book_id}/runs/{number}/reverse", tag = "books",
    params(("book_id" = String, Path), ("number" = i64, Path)), request_body = ReverseRequest,
    responses((status = 200, body = BookRunDocument)))]
pub async fn post_reverse_run(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(RunPath { book_id, number }): At<RunPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let run = reverse_run(&context, (book_id, number), user.id, body).await?;
    context.work.compute(move || Json(BookRunDocument::from(run)).into_response()).await
}
