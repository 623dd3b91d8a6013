//! `/books/{book_id}/import`: imports entries from a spreadsheet, with a preview that writes nothing.

use app::components::error_page::LoadError;
use app::components::import_form::FILE_ROWS;
use app::model::{ImportPreview, ImportRow};
use app::pages::books::import::{ROWS, import_page};
use axum::response::Response;

use super::facts::{asker, entry};
use super::show::done;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{FormBody, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest};
use crate::pages::request::{PageAt, PageRequest};
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::import::{self, import as import_entries, read_refused_table, read_table};
use auction_house::engine::Normalized;
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
    let context = &request.state.context;
    let table = match rows.filter(|rows| !rows.is_empty()).map(str::to_owned) {
        Some(rows) if is_counted => Some(read_refused_table(context, rows).await.map_err(unread)?),
        Some(rows) => Some(read_table(context, user, None, || Ok(rows)).await.map_err(unread)?),
        None => None,
    };
    let db = &mut request.db().await?;
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_keeper)?;
    if seen.book.is_closed() {
        return Err(PageError(LoadError::Forbidden));
    }
    let preview = match table {
        Some(table) => match import::preview(db, &asker(&request.state, request.address), &seen, table).await
        {
            Ok(preview) => preview,
            Err(VerbError::TooMany(error)) => {
                let errors = vec![FieldError::new("row 1", error.to_string())];
                import::Preview { errors, ..import::Preview::default() }
            }
            Err(VerbError::Db(error)) => return Err(error.into()),
            Err(_) => return Err(PageError(LoadError::NotFound)),
        },
        None => import::Preview::default(),
    };
    let total = preview.rows.iter().try_fold(Normalized::ZERO, |sum, row| sum.checked_add(row.amount));
    let row = |row: import::PreviewRow| ImportRow {
        row: row.row,
        email: row.email.unwrap_or_default(),
        name: row.name,
        amount: row.amount.to_string(),
        reason: row.reason,
    };
    Ok(ImportPreview {
        book: entry(db, &seen).await?,
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

/// `POST /books/{book_id}/import`
pub async fn import_rows(request: SessionFormRequest<BookPath>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let (object, asker) = (texts(&form, &["csv"]), asker(&state, visitor.address));
    let imported =
        import_entries(&state.context, &asker, (book_id, None), user, FormBody { object, form }).await;
    imported.map_err(|error| of_table(error.into()))?;
    Ok(done(book_id, "imported"))
}

/// The page lists the errors of the rows: its field has one for all of them.
pub fn of_table(mut problem: Problem) -> Problem {
    if problem.fields.iter().any(|field| field.path.starts_with("row ")) {
        let rows = problem.fields.len();
        let words = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
        problem.fields = vec![FieldError::explained("csv", format!("{words} wrong: nothing was imported."))];
    }
    problem
}
