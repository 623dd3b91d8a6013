//! `/books/{book_id}/import`: imports entries from a spreadsheet, with a preview that writes nothing.

mod view;

use app::components::error_page::LoadError;
use app::components::import_form::{FILE, FILE_ROWS};
use app::components::past_imports::{AGAIN, UNDONE};
use app::model::TableLayout;
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::import::undo::undo_import;
use auction_house::books::import::{
    self, BookUnits, EXPECTED, Entries, EntriesRequest, EntryReason, Preview, PreviewRow, Unknown, import,
    preview, preview_import, read_refused_table, read_table,
};
use auction_house::engine::Normalized;
use auction_house::ids::{GroupId, UserId};
use auction_house::imports::{ImportPlace, Repeat};
use auction_house::path::{BookImportPath, BookPath};
use axum::response::Response;
use axum::routing::MethodRouter;
use platform::http::problem::{FieldError, Problem};
use platform::http::wrong_rows::wrong_rows_file;
use platform::table::Layout;
use platform::verb::VerbError;

use self::view::{
    GROUP, INVITE, ImportPreview, ImportRow, REASON, ROWS, SKIP, UNKNOWN, UnknownEntry, import_page,
};
use super::IMPORTED;
use super::facts::{asker, entry};
use super::show::done;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form_route::FormRequest;
use crate::pages::groups::facts::choices;
use crate::pages::import_file::{
    FileContent, ImportForm, ImportedOr, Importing, SHOWN_BYTES_MAX, TextBody, import_route, of_table,
    table_body,
};
use crate::pages::past_imports::past_imports;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::table_form;
use crate::state::AppState;

/// `GET /books/{book_id}/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<BookPath>, request: PageRequest) -> Response {
    let preview = read(&request, path).await;
    request.render(preview, import_page)
}

async fn read(request: &PageRequest, path: Loaded<BookPath>) -> Loaded<ImportPreview> {
    let (BookPath { book_id }, user) = (path?, request.user_id()?);
    let refused = request.refused().cloned().unwrap_or_default();
    let rows = table_form::rows(&refused, ROWS.name);
    let context = &request.state.context;
    let asked = entries_request(&refused.values, &rows);
    let mut layout = TableLayout::default();
    let table = match asked {
        _ if rows.is_empty() => None,
        Ok(mut asked) => {
            let mut db = request.db().await?;
            let seen = authorize(&mut db, book_id, user).await.and_then(BookView::require_keeper)?;
            asked.units = BookUnits::of(&mut db, &seen.book).await?;
            drop(db);
            let (columns, text) = (asked.columns(), rows.clone());
            // The error of a field says that the import has read the rows, and has counted them.
            let table = match refused.fields.is_empty() {
                false => read_refused_table(context, asked, text).await,
                true => read_table(context, user, asked, || Ok(text)).await,
            };
            let table = table_form::or_errors(table, Entries::of_errors)?;
            layout = table_form::shown(table.layout(), &columns, &refused, &rows);
            Some(table)
        }
        Err(errors) => {
            layout = table_form::shown(&Layout::default(), &[], &refused, &rows);
            Some(Entries::of_errors(errors))
        }
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
    let imports = past_imports(db, ImportPlace::all_of(book_id), preview.imported_before).await?;
    let total = preview.rows.iter().try_fold(Normalized::ZERO, |sum, row| sum.checked_add(row.amount));
    let whom = |row: &PreviewRow| {
        let known = match (&row.email, row.number) {
            (Some(email), _) => Some(email.clone()),
            (None, Some(number)) => Some(format!("Number {number}")),
            (None, None) => None,
        };
        let realm = row.realm.as_ref().map(|realm| format!("Written with “{realm}”"));
        known.into_iter().chain(realm).collect::<Vec<_>>().join(" · ")
    };
    let row = |row: PreviewRow| ImportRow {
        row: row.row,
        whom: whom(&row),
        name: row.name,
        amount: row.amount.to_string(),
        reason: row.reason,
    };
    let skips = asked_unknown(&refused.values).skip;
    let unknown = |row: import::UnknownRow| UnknownEntry {
        row: row.row,
        whom: match (row.email, row.number, row.name) {
            (Some(email), ..) => email.as_typed().to_owned(),
            (None, Some(number), _) => format!("Number {number}"),
            (None, None, name) => name.unwrap_or_default(),
        },
        amount: row.amount.to_string(),
        effect: match (row.waits, skips) {
            (true, _) => "Invited: the amount waits 30 days",
            (false, true) => "Left out",
            (false, false) => "Nobody is known by this",
        },
    };
    Ok(ImportPreview {
        book: entry(db, &seen).await?,
        groups: choices(db, None, user).await?,
        total: total.map(|total| total.to_string()),
        rows: preview.rows.into_iter().map(row).collect(),
        zeros: preview.zeros,
        unknown: preview.unknown.into_iter().map(unknown).collect(),
        layout,
        errors: table_form::explained(preview.errors),
        imports,
    })
}

/// What the fields of the form say about a table.
fn entries_request(fields: &[(String, String)], text: &str) -> Result<EntriesRequest, Vec<FieldError>> {
    let given = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    };
    let reading = table_form::reading(fields, text);
    let reason = given(REASON.name).map(str::parse::<EntryReason>).transpose();
    let reason = reason.map_err(|error| FieldError::new(REASON.name, error.to_string()));
    let group = given(GROUP.name).map(str::parse::<GroupId>).transpose();
    let group = group.map_err(|_| FieldError::new(GROUP.name, "must be a group that you keep"));
    match (group, reason, reading) {
        (Ok(group), Ok(reason), Ok(reading)) => {
            let repeat = Repeat::of(given(AGAIN).is_some());
            let unknown = asked_unknown(fields);
            Ok(EntriesRequest { group, reason, reading, repeat, unknown, ..EntriesRequest::default() })
        }
        (group, reason, reading) => Err([group.err(), reason.err()]
            .into_iter()
            .flatten()
            .chain(reading.err().into_iter().flatten())
            .collect()),
    }
}

/// What the form says about rows of unknown people.
fn asked_unknown(fields: &[(String, String)]) -> Unknown {
    let said = fields.iter().find(|(name, _)| name == UNKNOWN.name).map_or("", |(_, value)| value.as_str());
    Unknown { skip: said == SKIP || said == INVITE, invite: said == INVITE }
}

/// `POST /books/{book_id}/import`, with pasted rows or a file.
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: ROWS.name,
        further: &[GROUP.name, REASON.name, UNKNOWN.name, AGAIN],
        content: FileContent::Table(&EXPECTED),
        nothing: "Paste rows, or choose a file.",
        shown: |text| match text.len() {
            ..=SHOWN_BYTES_MAX => &[FILE_ROWS, ROWS.name],
            _ => &[FILE_ROWS],
        },
        below: 0,
        unread: Some(|text, fields| {
            let asked = entries_request(fields, text);
            asked.map(|asked| Entries::unread(text, &asked)).unwrap_or_default()
        }),
    };
    import_route(shape, show, may_import, import_rows)
}

async fn may_import(state: AppState, user: UserId, path: BookPath) -> Result<(), Problem> {
    let mut db = state.context.db.read().await?;
    authorize(&mut db, path.book_id, user).await?.require_keeper()?;
    Ok(())
}

async fn import_rows(importing: Importing<BookPath>) -> Result<ImportedOr<String>, Problem> {
    let asked = entries_request(&importing.further, &importing.text).map_err(Problem::fields)?;
    let Importing { state, user, address, path: BookPath { book_id }, text, keyed, .. } = importing;
    let asker = asker(&state, address);
    if let Some(format) = importing.wrong_rows {
        let (context, read) = (&state.context, text.clone());
        let preview = preview_import(context, &asker, (book_id, asked), user, || Ok(read)).await?;
        let file = move || wrong_rows_file(format, &text, &preview.layout, &preview.errors);
        return Ok(ImportedOr::File(context.work.compute(file).await??));
    }
    let body = TextBody { text, keyed, read: table_body };
    let imported = import(&state.context, &asker, (book_id, asked), user, body).await;
    imported.map_err(|error| of_table(error.into()))?;
    Ok(ImportedOr::Imported(done(book_id, IMPORTED)))
}

/// `POST /books/{book_id}/import/{import_id}/undo`, a button.
pub async fn undo(request: FormRequest<BookImportPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookImportPath { book_id, import_id }, .. } = request;
    undo_import(&state.context, book_id, user, import_id).await?;
    Ok(format!("/books/{book_id}/import?done={UNDONE}"))
}
