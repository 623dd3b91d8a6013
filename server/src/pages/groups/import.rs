//! `/groups/{group_id}/import`: imports people from a spreadsheet, with a preview that writes nothing.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::error_page::LoadError;
use app::components::import_form::FILE;
use app::model::{PeopleImport, PlannedPerson};
use app::pages::groups::import::{ROWS, import_people_page};
use auction_house::groups::access::authorize_keeper;
use auction_house::groups::people::import::{BYTES_MAX, import_people, preview as preview_people};
use auction_house::groups::people::plan::{ImportAction, PlanDocument};
use auction_house::path::GroupPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::{FieldError, Problem};
use platform::http::upload::Upload;
use platform::net::ClientAddress;

use super::cards::{Changed, answer};
use super::facts::entry;
use crate::codes;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::import_file::{ReceivedText, TextBody};
use crate::pages::redraw::{preview, redraw};
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// `GET /groups/{group_id}/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<GroupPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, import_people_page)
}

async fn read(request: &PageRequest, path: Loaded<GroupPath>) -> Loaded<PeopleImport> {
    let (GroupPath { group_id }, user) = (path?, request.user_id()?);
    let seen = authorize_keeper(&mut request.db().await?, group_id, user).await?;
    let rows = request.refused().and_then(|refused| refused.value(ROWS.name)).unwrap_or_default();
    let mut page = PeopleImport {
        group: entry(&seen),
        rows: Vec::new(),
        errors: Vec::new(),
        ignored_columns: Vec::new(),
    };
    if rows.is_empty() {
        return Ok(page);
    }
    let context = &request.state.context;
    let plan = preview_people(context, (group_id, user), rows.to_owned(), request.now).await;
    // The user has imported too much, or the server is stopping.
    let plan = PlanDocument::from(plan.map_err(|_| PageError(LoadError::Unavailable))?);
    page.rows = plan
        .rows
        .into_iter()
        .map(|row| PlannedPerson {
            row: row.row,
            number: row.number,
            name: row.name,
            action: match row.action {
                ImportAction::Create => "Adds a person",
                ImportAction::Change => "Changes the person",
                ImportAction::None => "Changes nothing",
            },
        })
        .collect();
    page.errors = plan.errors.into_iter().map(|error| (error.path, error.message)).collect();
    page.ignored_columns = plan.ignored_columns;
    Ok(page)
}

/// `POST /groups/{group_id}/import`, with a file or pasted rows. A preview shows the rows in the field for
/// pasted ones, from where they are imported.
pub async fn import(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    address: ClientAddress,
    path: Result<At<GroupPath>, Problem>,
    uri: Uri,
    parts: Parts,
    upload: Upload,
) -> Response {
    let mut fields = Vec::new();
    let imported = try_import(&state, user.as_ref(), address, path, upload, &mut fields).await;
    let form = Form::with_fields(parts, fields);
    match imported {
        Ok(Some(people)) => answer(&state, &form, uri, Ok(people)).await,
        Ok(None) => preview(&state, &form, show, uri).await,
        Err(problem) => redraw(&state, &form, show, uri, of_table(problem)).await,
    }
}

/// The imported people, or nothing for a preview. `fields` gets what the page shows again.
async fn try_import(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    address: ClientAddress,
    path: Result<At<GroupPath>, Problem>,
    upload: Upload,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<Changed>, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(GroupPath { group_id }) = path?;
    authorize_keeper(&mut state.context.db.read().await?, group_id, user).await?;
    let received = ReceivedText::receive(upload, (FILE.name, ROWS.name), BYTES_MAX, &[], fields).await?;
    let ReceivedText { text, is_preview, keyed } = received;
    let nothing = || Problem::explained(ROWS.name, "Paste rows, or choose a file.".to_owned());
    let text = text.ok_or_else(nothing)?;
    fields.push((ROWS.name.to_owned(), text.clone()));
    if is_preview {
        return Ok(None);
    }
    let body = TextBody { text, keyed, read: table };
    let imported = import_people(&state.context, &state.accounts, address, (group_id, user), body).await?;
    Ok(Some((group_id, user, imported.resource)))
}

/// The table as the member of a body.
fn table(text: &str) -> Result<Object, Problem> {
    let mut object = Object::default();
    object.set(ROWS.name, &text);
    Ok(object)
}

/// The page lists the errors of the rows: its field has one for all of them.
fn of_table(mut problem: Problem) -> Problem {
    let rows = problem.fields.iter().filter(|field| field.path.starts_with("row ")).count();
    if rows > 0 {
        let words = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
        let words = format!("{words} wrong: nothing was imported.");
        problem.fields = vec![FieldError::explained(ROWS.name, words)];
    }
    problem
}
