//! `/books/{book_id}/import`: imports entries from a spreadsheet, with a preview that writes nothing.

use app::components::error_page::LoadError;
use app::components::import_form::{FILE, FILE_ROWS};
use app::model::{ImportPreview, ImportRow};
use app::pages::books::import::{GROUP, ROWS, import_page};
use axum::response::Response;
use axum::routing::MethodRouter;

use super::facts::{asker, entry};
use super::show::done;
use crate::pages::error::{Loaded, PageError};
use crate::pages::groups::facts::choices;
use crate::pages::import_file::{
    Content, ImportForm, Importing, SHOWN_BYTES_MAX, TextBody, import_route, of_table, table_body,
};
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::import::{
    COLUMNS, Preview, PreviewRow, import, preview, read_refused_table, read_table,
};
use auction_house::engine::Normalized;
use auction_house::ids::{GroupId, UserId};
use auction_house::path::BookPath;
use platform::http::problem::{FieldError, Problem};
use platform::verb::VerbError;

/// `GET /books/{book_id}/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<BookPath>, request: PageRequest) -> Response {
    let preview = read(&request, path).await;
    request.render(preview, import_page)
}

async fn read(request: &PageRequest, path: Loaded<BookPath>) -> Loaded<ImportPreview> {
    let (BookPath { book_id }, user) = (path?, request.user_id()?);
    let submitted = |name| request.refused().and_then(|refused| refused.value(name));
    let rows = submitted(FILE_ROWS).or_else(|| submitted(ROWS.name));
    // The error of a field says that the import has read the rows, and has counted them.
    let is_counted = request.refused().is_some_and(|refused| !refused.fields.is_empty());
    let group = submitted(GROUP.name).and_then(|group| group.parse().ok());
    let context = &request.state.context;
    let table = match rows.filter(|rows| !rows.is_empty()).map(str::to_owned) {
        Some(rows) if is_counted => Some(read_refused_table(context, group, rows).await.map_err(unread)?),
        Some(rows) => Some(read_table(context, user, group, || Ok(rows)).await.map_err(unread)?),
        None => None,
    };
    let db = &mut request.db().await?;
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_keeper)?;
    if seen.book.is_closed() {
        return Err(PageError(LoadError::Forbidden));
    }
    let preview = match table {
        Some(table) => match preview(db, &asker(&request.state, request.address), &seen, table).await {
            Ok(preview) => preview,
            Err(VerbError::TooMany(error)) => {
                let errors = vec![FieldError::new("row 1", error.to_string())];
                Preview { errors, ..Preview::default() }
            }
            Err(VerbError::Db(error)) => return Err(error.into()),
            Err(_) => return Err(PageError(LoadError::NotFound)),
        },
        None => Preview::default(),
    };
    let total = preview.rows.iter().try_fold(Normalized::ZERO, |sum, row| sum.checked_add(row.amount));
    let whom = |row: &PreviewRow| match (&row.email, row.number) {
        (Some(email), _) => email.clone(),
        (None, Some(number)) => format!("Number {number}"),
        (None, None) => String::new(),
    };
    let row = |row: PreviewRow| ImportRow {
        row: row.row,
        whom: whom(&row),
        name: row.name,
        amount: row.amount.to_string(),
        reason: row.reason,
    };
    Ok(ImportPreview {
        book: entry(db, &seen).await?,
        groups: choices(db, None, user).await?,
        total: total.map(|total| total.to_string()),
        rows: preview.rows.into_iter().map(row).collect(),
        ignored_columns: preview.ignored_columns,
        errors: preview.errors.into_iter().map(|error| (error.path, error.message)).collect(),
    })
}

/// The user has imported too much, or the server is stopping.
fn unread(_: Problem) -> PageError {
    PageError(LoadError::Unavailable)
}

/// `POST /books/{book_id}/import`, with pasted rows or a file.
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: ROWS.name,
        further: &[GROUP.name],
        content: Content::Table(&COLUMNS),
        nothing: "Paste rows, or choose a file.",
        shown: |text| match text.len() {
            ..=SHOWN_BYTES_MAX => &[FILE_ROWS, ROWS.name],
            _ => &[FILE_ROWS],
        },
        below: 0,
    };
    import_route(shape, show, may_import, import_rows)
}

async fn may_import(state: AppState, user: UserId, path: BookPath) -> Result<(), Problem> {
    let mut db = state.context.db.read().await?;
    authorize(&mut db, path.book_id, user).await?.require_keeper()?;
    Ok(())
}

async fn import_rows(importing: Importing<BookPath>) -> Result<String, Problem> {
    let group = importing.get(GROUP.name).map(str::parse::<GroupId>).transpose();
    let group = group.map_err(|_| Problem::field(GROUP.name, "must be a group that you keep"))?;
    let Importing { state, user, address, path: BookPath { book_id }, text, keyed, .. } = importing;
    let (asker, body) = (asker(&state, address), TextBody { text, keyed, read: table_body });
    let imported = import(&state.context, &asker, (book_id, group), user, body).await;
    imported.map_err(|error| of_table(error.into()))?;
    Ok(done(book_id, "imported"))
}
