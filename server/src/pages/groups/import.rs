//! `/groups/{group_id}/import`: imports people from a spreadsheet, with a preview that writes nothing.

use app::components::error_page::LoadError;
use app::components::import_form::FILE;
use app::model::{PeopleImport, PlannedPerson};
use app::pages::groups::import::{ROWS, import_people_page};
use auction_house::groups::access::authorize_keeper;
use auction_house::groups::people::import::{import_people, preview as preview_people, preview_refused};
use auction_house::groups::people::plan::{COLUMNS, ImportAction, PlanDocument};
use auction_house::ids::UserId;
use auction_house::path::GroupPath;
use axum::response::Response;
use axum::routing::MethodRouter;
use platform::http::problem::Problem;

use super::cards::Changed;
use super::facts::entry;
use crate::pages::error::{Loaded, PageError};
use crate::pages::import_file::{
    Content, ImportForm, Importing, TextBody, import_route, of_table, table_body,
};
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
    let (context, keeper, rows) = (&request.state.context, (group_id, user), rows.to_owned());
    // The error of a field says that the import has read the rows, and has counted them.
    let plan = match request.refused().is_some_and(|refused| !refused.fields.is_empty()) {
        true => preview_refused(context, keeper, rows, request.now).await,
        false => preview_people(context, keeper, rows, request.now).await,
    };
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
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: ROWS.name,
        further: &[],
        content: Content::Table(&COLUMNS),
        nothing: "Paste rows, or choose a file.",
        shown: |_| &[ROWS.name],
        below: 0,
    };
    import_route(shape, show, may_import, import)
}

async fn may_import(state: AppState, user: UserId, path: GroupPath) -> Result<(), Problem> {
    authorize_keeper(&mut state.context.db.read().await?, path.group_id, user).await?;
    Ok(())
}

async fn import(importing: Importing<GroupPath>) -> Result<Changed, Problem> {
    let Importing { state, user, path: GroupPath { group_id }, text, keyed, .. } = importing;
    let body = TextBody { text, keyed, read: table_body };
    let imported = import_people(&state.context, &state.accounts, (group_id, user), body).await;
    let people = imported.map_err(|error| of_table(error.into()))?.resource;
    Ok(Changed { group_id, user, people })
}
