//! `/api/books/{book_id}/balances/export`

use axum::extract::{RawQuery, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::balances;
use crate::books::access::authorize;
use crate::context::{Context, ExportRequest};
use crate::path::BookPath;
use accounts::extract::CurrentUser;
use platform::db::Snapshot;
use platform::http::download::Attachment;
use platform::http::format::{ExportFormat, FormatParameters};
use platform::http::paging::parameters;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;

/// A row of the table.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportedBalance)]
pub struct ExportedBalance {
    /// In the group of the request. Null without one.
    number: Option<String>,
    /// Always null: nobody reads the e-mails of others.
    email: Option<String>,
    name: String,
    amount: String,
    reason: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExportedBalances)]
pub struct ExportedBalances {
    balances: Vec<ExportedBalance>,
}

/// The balances of all holders as they are now, with the columns of an import. OWNER and TELLERs only.
///
/// With `groupId` of a group that you keep, its people have their numbers. A cell of CSV that a spreadsheet
/// could execute begins with an apostrophe. A user has one export at a time: another one waits, and is 503
/// `OVERLOADED` after 10 s.
#[utoipa::path(get, path = "/api/books/{book_id}/balances/export", tag = "books", params(
        ("book_id" = String, Path), ("groupId" = Option<String>, Query),
        FormatParameters),
    responses((status = 200, content((ExportedBalances = "application/json"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn get_balance_table(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
    read: ReadPermit,
) -> Result<Attachment, Problem> {
    authorize(&mut context.db.read().await?, book_id, user.id).await?.require_keeper()?;
    let format = ExportFormat::of(&query)?;
    let group = parameters(&query).into_iter().find(|(name, _)| name == "groupId").map(|(_, id)| id.parse());
    let group = group.transpose().map_err(|_| Problem::field("groupId", "must be the ID of a group"))?;
    let name = format!("balances-{book_id}");
    let export = ExportRequest { user: user.id, read, format, name };
    let user = user.id;
    let begun = async move |db: Snapshot| balances(db, (book_id, group), user, format).await;
    context.export(export, begun).await
}
