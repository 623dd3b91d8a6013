//! `/api/groups/{group_id}/export`

use axum::extract::{RawQuery, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::people;
use crate::context::{Context, ExportRequest};
use crate::groups::access::authorize_keeper;
use crate::path::GroupPath;
use accounts::extract::CurrentUser;
use platform::db::Snapshot;
use platform::http::download::Attachment;
use platform::http::format::{ExportFormat, FormatParameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;

/// A row of the table.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportedPerson)]
pub struct ExportedPerson {
    number: Option<String>,
    name: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ExportedPeople)]
pub struct ExportedPeople {
    people: Vec<ExportedPerson>,
}

/// Numbers and names of all people, by number, with columns of the import: into the same group the table of
/// its people changes nothing. Keepers only.
///
/// A cell of CSV that a spreadsheet could execute begins with an apostrophe. A user has one export at a time:
/// another one waits, and is 503 `OVERLOADED` after 10 s.
#[utoipa::path(get, path = "/api/groups/{group_id}/export", tag = "groups", params(
        ("group_id" = String, Path),
        FormatParameters),
    responses((status = 200, content((ExportedPeople = "application/json"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn get_people_table(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    query: RawQuery,
    read: ReadPermit,
) -> Result<Attachment, Problem> {
    authorize_keeper(&mut context.db.read().await?, group_id, user.id).await?;
    let format = ExportFormat::of(&query)?;
    let name = format!("people-{group_id}");
    let export = ExportRequest { user: user.id, read, format, name };
    let user = user.id;
    let now = context.clock.now();
    let begun = async move |db: Snapshot| people(db, group_id, user, format, now).await;
    context.export(export, begun).await
}
