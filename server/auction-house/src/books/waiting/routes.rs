//! `/api/books/{book_id}/waiting…`

use accounts::extract::CurrentUser;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;

use super::document::WaitingGrantsDocument;
use super::{delete_waiting, list_waiting};
use crate::books::access::authorize;
use crate::context::Context;
use crate::path::{BookPath, WaitingGrantPath};
use platform::http::json::Json;
use platform::http::paging::page;
use platform::http::path::At;
use platform::http::problem::Problem;

/// Grants of imports with `invite=true` that wait, oldest first, each for the user with an e-mail. OWNER and
/// TELLERs only.
///
/// A grant is written as soon as the user, whose e-mail is confirmed if the installation sends mail, is a
/// holder of the book, and waits for 30 days.
#[utoipa::path(get, path = "/api/books/{book_id}/waiting", tag = "books", params(("book_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = WaitingGrantsDocument)))]
pub async fn get_waiting(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
) -> Result<Json<WaitingGrantsDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, book_id, user.id).await?.require_keeper()?;
    Ok(Json(list_waiting(&mut db, &seen, page(&query)?, context.clock.now()).await?.into()))
}

/// Takes back a grant that waits. OWNER and TELLERs only.
#[utoipa::path(delete, path = "/api/books/{book_id}/waiting/{grant_id}", tag = "books",
    params(("book_id" = String, Path), ("grant_id" = String, Path)), responses((status = 204)))]
pub async fn delete_waiting_grant(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(WaitingGrantPath { book_id, grant_id }): At<WaitingGrantPath>,
) -> Result<StatusCode, Problem> {
    delete_waiting(&context, book_id, user.id, grant_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
