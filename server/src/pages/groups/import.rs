//! `/groups/{group_id}/import`: imports people from a spreadsheet, with a preview that writes nothing.

use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextArea, refused_value};
use app::components::import_form::{
    FILE, FileField, ImportActions, PREVIEWED_MAX, PreviewNote, PreviewTable, RowErrors,
};
use app::components::name::{Name, isolated};
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::past_imports::{AGAIN, ImportUndone, ImportedBefore, PastImportsList, UNDONE};
use app::components::sheet_choice::SHEET;
use app::components::table_columns::{HEADER_ROW, TableColumns};
use app::html::{Html, html};
use app::model::{PastImports, TableLayout};
use app::request::request;
use auction_house::groups::access::authorize_keeper;
use auction_house::groups::people::import::preview as preview_people;
use auction_house::groups::people::import::{ImportedPeople, import_people, preview_refused};
use auction_house::groups::people::plan::{COLUMNS, EXPECTED, ImportAction, PeoplePlan, PeopleTable};
use auction_house::groups::people::plan_document::{PlanDocument, PlannedDocument};
use auction_house::groups::people::undo_import::undo_import;
use auction_house::ids::UserId;
use auction_house::imports::ImportPlace;
use auction_house::path::{GroupImportPath, GroupPath};
use axum::response::Response;
use axum::routing::MethodRouter;
use leptos::prelude::*;
use platform::http::problem::Problem;
use platform::http::wrong_rows::wrong_rows_file;

use super::cards::Changed;
use super::facts::{GroupEntry, entry};
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::import_file::{
    FileContent, ImportForm, ImportedOr, Importing, TextBody, import_route, of_table, table_body,
};
use crate::pages::past_imports::past_imports;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::table_form;
use crate::state::AppState;

/// A table of people that is to be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PeopleImport {
    group: GroupEntry,
    rows: Vec<PlannedDocument>,
    /// Row and message.
    errors: Vec<(String, String)>,
    layout: TableLayout,
    imports: PastImports,
}

/// `GET /groups/{group_id}/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<GroupPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, import_people_page)
}

async fn read(request: &PageRequest, path: Loaded<GroupPath>) -> Loaded<PeopleImport> {
    let (GroupPath { group_id }, user) = (path?, request.user_id()?);
    let seen = authorize_keeper(&mut request.db().await?, group_id, user).await?;
    let refused = request.refused().cloned().unwrap_or_default();
    let rows = table_form::rows(&refused, ROWS.name);
    let mut page = PeopleImport {
        group: entry(&seen),
        rows: Vec::new(),
        errors: Vec::new(),
        layout: TableLayout::default(),
        imports: past_imports(&mut request.db().await?, ImportPlace::all_of(group_id), None).await?,
    };
    if rows.is_empty() {
        return Ok(page);
    }
    let (context, keeper) = (&request.state.context, (group_id, user));
    let plan = match table_form::reading(&refused.values, &rows) {
        Ok(reading) => {
            let table = (rows.clone(), reading);
            // The error of a field says that the import has read the rows, and has counted them.
            match refused.fields.is_empty() {
                false => preview_refused(context, keeper, table, request.now).await,
                true => preview_people(context, keeper, table, request.now).await,
            }
        }
        Err(errors) => Err(Problem::fields(errors)),
    };
    let plan = table_form::or_errors(plan, |errors| PeoplePlan { errors, ..PeoplePlan::default() })?;
    page.imports.before = plan.imported_before.map(|before| before.created_at.millis());
    page.layout = table_form::shown(&plan.layout, &COLUMNS, &refused, &rows);
    let plan = PlanDocument::from(plan);
    page.rows = plan.rows;
    page.errors = table_form::explained(plan.errors);
    Ok(page)
}

/// `POST /groups/{group_id}/import`, with a file or pasted rows. A preview shows the rows in the field for
/// pasted ones, from where they are imported.
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: ROWS.name,
        further: &[AGAIN],
        content: FileContent::Table(&EXPECTED),
        nothing: "Paste rows, or choose a file.",
        shown: |_| &[ROWS.name],
        below: 0,
        unread: Some(|text, fields| {
            let reading = table_form::reading(fields, text).unwrap_or_default();
            PeopleTable::unread(text, &reading)
        }),
    };
    import_route(shape, show, may_import, import)
}

async fn may_import(state: AppState, user: UserId, path: GroupPath) -> Result<(), Problem> {
    authorize_keeper(&mut state.context.db.read().await?, path.group_id, user).await?;
    Ok(())
}

async fn import(importing: Importing<GroupPath>) -> Result<ImportedOr<Changed>, Problem> {
    let (repeat, wrong_rows) = (importing.repeat(), importing.wrong_rows);
    let Importing { state, user, path: GroupPath { group_id }, text, keyed, reading, .. } = importing;
    if let Some(format) = wrong_rows {
        let (context, now) = (&state.context, state.context.clock.now());
        let plan = preview_people(context, (group_id, user), (text.clone(), reading), now).await?;
        let file = move || wrong_rows_file(format, &text, &plan.layout, &plan.errors);
        return Ok(ImportedOr::File(context.work.compute(file).await??));
    }
    let (read, body) = ((reading, repeat), TextBody { text, keyed, read: table_body });
    let imported = import_people(&state.context, &state.accounts, (group_id, user), read, body).await;
    let ImportedPeople { id, people } = imported.map_err(|error| of_table(error.into()))?.resource;
    Ok(ImportedOr::Imported(Changed { group_id, user, people, is_import: id.is_some() }))
}

/// `POST /groups/{group_id}/import/{import_id}/undo`, a button.
pub async fn undo(request: FormRequest<GroupImportPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: GroupImportPath { group_id, import_id }, .. } = request;
    undo_import(&state.context, &state.accounts, (group_id, user), import_id).await?;
    Ok(format!("/groups/{group_id}/import?done={UNDONE}"))
}

/// The rows that are pasted.
pub const ROWS: Field = Field::new("csv", "Rows", "Paste rows below the header number,name,pin.");

fn import_people_page(page: PeopleImport) -> Html {
    let layout = page.layout.clone();
    let path = format!("/groups/{}", page.group.id);
    let (imports, import_path) = (page.imports.clone(), format!("{path}/import"));
    let before = imports.before;
    let (name, cancel) = (page.group.name.clone(), path.clone());
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    html(view! {
        <PageTitle text=format!("Import into {name}") />
        <PageHead back=path.clone() of=name heading="Import people" />
        <div class="group-page">
            <ImportUndone />
            <ErrorSummary fields=&[&[ROWS, FILE, SHEET, HEADER_ROW]] />
            <form method="post" action=format!("{path}/import") enctype="multipart/form-data" novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <TextArea
                    field=ROWS
                    hint="Copy from a spreadsheet, with the columns number, name and pin in any order; other columns are shown before they are left out. A row without a number is of the person with its name, if one has it; a new person gets the next free one, without a PIN a new one. A number that somebody has changes that person. All rows are written, or none."
                />
                <FileField rows=ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML with the same columns, at most 2,000 rows" />
                <TableColumns layout />
                <ImportedBefore at=before />
                <ImportActions preview="Preview" import="Import and show the cards" has_errors=!page.errors.is_empty()>
                    <a class="button quiet" href=cancel>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <Preview page />
            <PastImportsList
                imports
                path=import_path
                effect="The people whom it added are removed, and those whom it renamed have their names back, unless one of them was changed, has signed in or bid since. PINs that it set stay."
            />
        </div>
    })
}

/// What becomes of a row, in words.
fn effect(planned: &PlannedDocument) -> String {
    match (planned.action, &planned.taken_from) {
        (ImportAction::Create, None) => "Adds a person".to_owned(),
        (ImportAction::Create, Some(keeper)) => {
            let keeper = isolated(keeper);
            format!("Adds a person with the number of {keeper}, who keeps the group without one then")
        }
        (ImportAction::Change, _) => "Changes the person".to_owned(),
        (ImportAction::None, _) => "Changes nothing".to_owned(),
    }
}

#[component]
fn Preview(page: PeopleImport) -> impl IntoView {
    let PeopleImport { rows, errors, .. } = page;
    let total = rows.len();
    let line = |planned: PlannedDocument| {
        let effect = effect(&planned);
        view! {
            <td>{planned.row}</td>
            <td>{planned.number}</td>
            <td><Name text=planned.name /></td>
            <td>{effect}</td>
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    view! {
        <RowErrors errors />
        {(total > 0).then(|| view! { <PreviewNote>"Nothing is written yet."</PreviewNote> })}
        <PreviewTable headings=["Row", "Number", "Name", "What happens"] lines total />
    }
}
