//! `/api/groups…`

use std::sync::Arc;

use accounts::Accounts;
use accounts::extract::CurrentUser;
use accounts::groups::store as groups;
use accounts::session::Visitor;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::access::{authorize, authorize_keeper};
use super::create::{GroupBody, create_group};
use super::delete::delete_group as delete;
use super::document::{
    AddedDocument, GroupDocument, GroupPeopleDocument, GroupPersonDocument, GroupsDocument,
    ImportedPeopleDocument, RemovedPeopleDocument,
};
use super::join::{GroupJoinBody, join_group};
use super::open::open_numbers;
use super::patch::patch_group as patch;
use super::people::add::{PeopleBody, add_people};
use super::people::change::{PersonPatchBody, change_person};
use super::people::import::{import_people, preview_import};
use super::people::list::list_people;
use super::people::plan::EXPECTED;
use super::people::plan_document::PlanDocument;
use super::people::remove::{leave_group, remove_person};
use super::people::undo_import::undo_import;
use super::people::undo_upgrade::undo_upgrade;
use super::removed::{list_removed, readmit};
use super::renew_code::renew_code;
use crate::context::Context;
use crate::creations::Created;
use crate::imports::document::{ImportDocument, ImportsDocument};
use crate::imports::{ImportPlace, Repeat};
use crate::path::{GroupImportPath, GroupPath, PersonPath, RemovedPersonPath};
use platform::http::body::JsonBody;
use platform::http::csv_body::CsvBody;
use platform::http::format::{ExportFormat, FormatParameters};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::{flag, is_dry_run, page, parameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::table::{JsonTable, ReadingParameters, reading};
use platform::http::wrong_rows::KeptText;
use platform::net::ClientAddress;
use platform::search_text::{NoSearchText, SearchText};
use platform::shape::MergePatch;
use platform::shape::New;

type NewGroup = New<GroupBody>;
type GroupPatch = MergePatch<GroupBody>;
type GroupJoin = New<GroupJoinBody>;
type NewPeople = New<PeopleBody>;
type PersonChange = New<PersonPatchBody>;

/// Your groups, newest first.
#[utoipa::path(get, path = "/api/groups", tag = "groups", responses((status = 200, body = GroupsDocument)))]
pub async fn get_groups(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
) -> Result<Json<GroupsDocument>, Problem> {
    let found = groups::list(&mut context.db.read().await?, user.id).await?;
    Ok(Json(GroupsDocument { groups: found.into_iter().map(Into::into).collect() }))
}

/// Creates a group, of which you are the first keeper, with the number 1.
///
/// 409 `LIMIT_REACHED` for a user in 100 groups.
#[utoipa::path(post, path = "/api/groups", tag = "groups", params(GivenKey), request_body = NewGroup,
    responses((status = 201, body = GroupDocument, headers(("Location"), ("Idempotent-Replayed")))))]
pub async fn post_group(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } = create_group(&context, user.id, body).await?;
    let location = format!("/api/groups/{}", made.id);
    let document = Json(GroupDocument::from(made));
    let response = (StatusCode::CREATED, [(header::LOCATION, location)], document).into_response();
    Ok(keyed::replayed(response, replayed))
}

/// One group, for its people.
#[utoipa::path(get, path = "/api/groups/{group_id}", tag = "groups", params(("group_id" = String, Path)),
    responses((status = 200, body = GroupDocument)))]
pub async fn get_group(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
) -> Result<Json<GroupDocument>, Problem> {
    Ok(Json(authorize(&mut context.db.read().await?, group_id, user.id).await?.into()))
}

/// Changes a group by a JSON merge patch. Keepers only.
#[utoipa::path(patch, path = "/api/groups/{group_id}", tag = "groups", params(("group_id" = String, Path)),
    request_body(content = GroupPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = GroupDocument)))]
pub async fn patch_group(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    body: JsonBody,
) -> Result<Json<GroupDocument>, Problem> {
    Ok(Json(patch(&context, group_id, user.id, body).await?.into()))
}

/// Removes a group. Its managed users are erased like deleted accounts. Keepers only.
///
/// 409 `IN_USE` while an auction that is not closed has the group; `LEADS_OPEN_ITEMS`.
#[utoipa::path(delete, path = "/api/groups/{group_id}", tag = "groups", params(("group_id" = String, Path)),
    responses((status = 204)))]
pub async fn delete_group(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
) -> Result<StatusCode, Problem> {
    delete(&context, &accounts, group_id, user.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Gives a group another code. The old one is invalid at once; sessions stay. Keepers only.
#[utoipa::path(post, path = "/api/groups/{group_id}/code", tag = "groups",
    params(("group_id" = String, Path)), responses((status = 200, body = GroupDocument)))]
pub async fn post_group_code(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
) -> Result<Json<GroupDocument>, Problem> {
    Ok(Json(renew_code(&context, group_id, user.id).await?.into()))
}

/// Joins a group with its code, with the lowest free number, and its open auctions.
///
/// 403 unless the group is `joinable`; 404 for another code; 429 after too many. 409 `LIMIT_REACHED`: 2,000
/// people of the group, your 100 groups, or 10,000 holders of a book.
#[utoipa::path(post, path = "/api/groups/join", tag = "groups", request_body = GroupJoin,
    responses((status = 200, body = GroupDocument)))]
pub async fn post_join_group(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    address: ClientAddress,
    body: JsonBody,
) -> Result<Json<GroupDocument>, Problem> {
    Ok(Json(join_group(&context, (&accounts.limits, address), user.id, body).await?.into()))
}

/// Keeps numbers from being locked for ten minutes, and clears the failures of all. Keepers only.
///
/// Meanwhile an address that fails a hundred times is refused alone.
#[utoipa::path(post, path = "/api/groups/{group_id}/open", tag = "groups",
    params(("group_id" = String, Path)), responses((status = 204)))]
pub async fn post_open(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
) -> Result<StatusCode, Problem> {
    open_numbers(&context, group_id, user.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The people of a group, by number. Keepers only.
#[utoipa::path(get, path = "/api/groups/{group_id}/people", tag = "groups", params(("group_id" = String, Path),
        ("q" = Option<String>, Query, description = "Part of a name, or a number"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = GroupPeopleDocument)))]
pub async fn get_people(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    query: RawQuery,
) -> Result<Json<GroupPeopleDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize_keeper(&mut db, group_id, user.id).await?;
    let page = page(&query)?;
    let parameters = parameters(&query);
    let search = parameters.iter().find(|(name, _)| name == "q").map(|(_, text)| text.parse()).transpose();
    let search: Option<SearchText> =
        search.map_err(|error: NoSearchText| Problem::field("q", error.to_string()))?;
    let now = context.clock.now();
    Ok(Json(list_people(&mut db, &seen, search.as_ref(), page, now).await?.into()))
}

/// Adds 1–500 users without an e-mail, all or none, each with a PIN that is returned once. Keepers only.
///
/// They are members of the group's open auctions. `Idempotency-Key` is required. 409 `NUMBER_TAKEN`;
/// `LIMIT_REACHED` beyond 2,000 people of the group, or 10,000 holders of a book.
#[utoipa::path(post, path = "/api/groups/{group_id}/people", tag = "groups",
    params(("group_id" = String, Path), GivenKey), request_body = NewPeople,
    responses((status = 201, body = AddedDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_people(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let added = add_people(&context, &accounts, (group_id, user.id), body).await?;
    let Created { resource: people, replayed } = added;
    let response = (StatusCode::CREATED, Json(AddedDocument::from(people))).into_response();
    Ok(keyed::replayed(response, replayed))
}

/// Changes a person of a group by a JSON merge patch. Keepers only.
///
/// A PIN is returned once. 409 `NUMBER_TAKEN`, `LAST_KEEPER`. 422 for the role of a managed user, and for the
/// name and the PIN of a user with an e-mail.
#[utoipa::path(patch, path = "/api/groups/{group_id}/people/{person}", tag = "groups",
    params(("group_id" = String, Path), ("person" = String, Path, description = "A number of the group, or the id of a user")),
    request_body(content = PersonChange, content_type = "application/merge-patch+json"),
    responses((status = 200, body = GroupPersonDocument)))]
pub async fn patch_person(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(path): At<PersonPath>,
    body: JsonBody,
) -> Result<Json<GroupPersonDocument>, Problem> {
    let whom = (path.group_id, user.id, path.person);
    Ok(Json(change_person(&context, &accounts, whom, body).await?.into()))
}

/// Removes a person from a group and from its open auctions: a managed user is erased like a deleted account.
/// Keepers only.
///
/// 409 `LEADS_OPEN_ITEMS`, `LAST_KEEPER`.
#[utoipa::path(delete, path = "/api/groups/{group_id}/people/{person}", tag = "groups",
    params(("group_id" = String, Path), ("person" = String, Path, description = "A number of the group, or the id of a user")), responses((status = 204)))]
pub async fn delete_person(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(path): At<PersonPath>,
) -> Result<StatusCode, Problem> {
    remove_person(&context, &accounts, (path.group_id, user.id, path.person)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The users whom keepers have removed from a group, whom its code does not let in. Keepers only.
#[utoipa::path(get, path = "/api/groups/{group_id}/removed", tag = "groups", params(("group_id" = String, Path),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = RemovedPeopleDocument)))]
pub async fn get_removed(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    query: RawQuery,
) -> Result<Json<RemovedPeopleDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize_keeper(&mut db, group_id, user.id).await?;
    Ok(Json(list_removed(&mut db, &seen, page(&query)?).await?.into()))
}

/// Lets a user who was removed join the group with its code again. Keepers only.
///
/// 404 for a user whom nobody has removed.
#[utoipa::path(delete, path = "/api/groups/{group_id}/removed/{user_id}", tag = "groups",
    params(("group_id" = String, Path), ("user_id" = String, Path)), responses((status = 204)))]
pub async fn delete_removed(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<RemovedPersonPath>,
) -> Result<StatusCode, Problem> {
    readmit(&context, path.group_id, user.id, path.user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a full account a managed user of the group again, with a new PIN that is returned once: within a day
/// after the upgrade. Keepers only.
///
/// Every session ends. 409 `TOO_LATE` afterwards, `NOT_UPGRADED` for any other person, `DEPLOYMENT_ADMIN`.
#[utoipa::path(post, path = "/api/groups/{group_id}/people/{person}/undo-upgrade", tag = "groups",
    params(("group_id" = String, Path), ("person" = String, Path, description = "A number of the group, or the id of a user")),
    responses((status = 200, body = GroupPersonDocument)))]
pub async fn post_undo_upgrade(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    At(path): At<PersonPath>,
) -> Result<Json<GroupPersonDocument>, Problem> {
    let whom = (path.group_id, user.id, path.person);
    Ok(Json(undo_upgrade(&context, &accounts, &visitor, whom).await?.into()))
}

/// Leaves a group and its open auctions. A managed user is erased like a deleted account.
///
/// 409 `LEADS_OPEN_ITEMS`, `LAST_KEEPER`; `TOO_EARLY` within a day after an upgrade.
#[utoipa::path(delete, path = "/api/groups/{group_id}/membership", tag = "groups",
    params(("group_id" = String, Path)), responses((status = 204)))]
pub async fn delete_membership(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
) -> Result<StatusCode, Problem> {
    leave_group(&context, &accounts, (group_id, user.id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds and changes managed users from a table with the columns `number`, `name` and `pin`, at most 2,000
/// rows, and 1 MiB of CSV or 5 MB of `.xlsx`, `.ods`, JSON or XML: all rows or none. Keepers only.
///
/// A row whose number a person has changes the name or the PIN of that person; without a number a name that
/// one person has is that person's; an empty cell changes nothing. UTF-8 or UTF-16; commas, semicolons or
/// tabs. Of a spreadsheet the first visible sheet with a header is read, or the one of `sheet`. With
/// `dryRun=true` nothing is written: 200 with what each row would do, or with a `format` of tables a file of
/// the wrong rows. Otherwise `Idempotency-Key` is
/// required. 409 `LIMIT_REACHED`, `IMPORTED_BEFORE` for a table that was imported before, unless with
/// `again=true`. 422 names each invalid row as `row N`.
#[utoipa::path(post, path = "/api/groups/{group_id}/import", tag = "groups", params(("group_id" = String, Path),
        ("dryRun" = Option<bool>, Query),
        ("again" = Option<bool>, Query, description = "Imports a table that was imported before"),
        ReadingParameters, FormatParameters, GivenKey),
    request_body(content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/vnd.oasis.opendocument.spreadsheet"),
        (JsonTable = "application/json"), (String = "application/xml"))),
    responses((status = 200, content((PlanDocument = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 201, body = ImportedPeopleDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_people_import(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    query: RawQuery,
    body: CsvBody,
) -> Result<Response, Problem> {
    let body = body.expecting(EXPECTED);
    if is_dry_run(&query)? {
        let (format, kept) = (ExportFormat::of(&query)?, KeptText::default());
        let text = kept.of(body);
        let plan = preview_import(&context, (group_id, user.id), reading(&query)?, text).await?;
        if let ExportFormat::Table(format) = format {
            let file = move || kept.file(format, &plan.layout, &plan.errors);
            return context.work.compute(file).await?;
        }
        return Ok(Json(PlanDocument::from(plan)).into_response());
    }
    let read = (reading(&query)?, Repeat::of(flag(&query, "again")?));
    let Created { resource: imported, replayed } =
        import_people(&context, &accounts, (group_id, user.id), read, body).await?;
    let response = (StatusCode::CREATED, Json(ImportedPeopleDocument::from(imported))).into_response();
    Ok(keyed::replayed(response, replayed))
}

/// Imports of people from tables, newest first. Keepers only.
#[utoipa::path(get, operation_id = "get_group_imports", path = "/api/groups/{group_id}/imports", tag = "groups",
    params(("group_id" = String, Path), ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = ImportsDocument)))]
pub async fn get_imports(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(GroupPath { group_id }): At<GroupPath>,
    query: RawQuery,
) -> Result<Json<ImportsDocument>, Problem> {
    let mut db = context.db.read().await?;
    authorize_keeper(&mut db, group_id, user.id).await?;
    Ok(Json(ImportPlace::all_of(group_id).imports(&mut db, page(&query)?).await?.into()))
}

/// Undoes an import: the people whom it added are removed, and those whom it renamed have their names back.
/// Keepers only.
///
/// All or nothing. PINs that it set stay. 409 `CHANGED` once one of them was changed, or one who was added
/// has signed in, bid or got an entry in a book; `ALREADY_UNDONE`.
#[utoipa::path(post, operation_id = "post_undo_group_import", path = "/api/groups/{group_id}/imports/{import_id}/undo", tag = "groups",
    params(("group_id" = String, Path), ("import_id" = String, Path)),
    responses((status = 200, body = ImportDocument)))]
pub async fn post_undo_import(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(GroupImportPath { group_id, import_id }): At<GroupImportPath>,
) -> Result<Json<ImportDocument>, Problem> {
    Ok(Json(undo_import(&context, &accounts, (group_id, user.id), import_id).await?.into()))
}
