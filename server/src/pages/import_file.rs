//! Forms that import a text, pasted or as a file, with a preview that writes nothing: of lots, people,
//! entries of a book, and currencies.

use std::collections::BTreeSet;
use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use app::components::import_form::{FILE_ROWS, WRONG_ROWS};
use app::components::past_imports::AGAIN;
use app::components::sheet_choice::{SHEET, SHEETS, SHOWN_SHEET};
use auction_house::ids::UserId;
use auction_house::imports::Repeat;
use axum::extract::State;
use axum::handler::Handler;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::csv_body::problem as unread;
use platform::http::format::TableFormat;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::{Received, Upload, UploadLimits};
use platform::idempotency::KeyedRequest;
use platform::lists;
use platform::net::ClientAddress;
use platform::sheet::FILE_BYTES_MAX;
use platform::table::{self, Expected, NotATable, Reading, decode, row_of_path};
use serde::de::DeserializeOwned;
use tokio::io::AsyncReadExt;

use super::form::{Form, beside, see_other};
use super::form_route::up;
use super::redraw::{preview, redraw};
use super::table_form::{self, Unread};
use crate::codes;
use crate::state::AppState;

/// Bytes of a text that the page shows in the field for a pasted one: the form takes it back, and a page is
/// not longer than a few of them.
pub const SHOWN_BYTES_MAX: usize = 48 * 1024;

/// Sheets that a page offers, at most.
const SHEETS_MAX: usize = 100;

/// What a form that imports a text has.
#[derive(Clone, Copy)]
pub struct ImportForm {
    /// Name of the field for a file.
    pub file: &'static str,
    /// Name of the field for a pasted text.
    pub pasted: &'static str,
    /// Names of further fields.
    pub further: &'static [&'static str],
    pub content: FileContent,
    /// What an empty form is told.
    pub nothing: &'static str,
    /// The fields in which the page shows a text again.
    pub shown: fn(&str) -> &'static [&'static str],
    /// Segments of the form's address below that of its page.
    pub below: usize,
    /// Headings of the columns of a table that the import leaves out. Without a preview that shows them
    /// nothing is imported.
    pub unread: Option<Unread>,
}

/// What the file of a form is.
#[derive(Clone, Copy)]
pub enum FileContent {
    /// A text of at most so many bytes.
    Text(usize),
    /// A text or a spreadsheet, of which the sheet or the list that is expected is read.
    Table(&'static Expected),
}

impl FileContent {
    fn bytes_max(self) -> usize {
        match self {
            Self::Text(bytes_max) => bytes_max,
            Self::Table(_) => FILE_BYTES_MAX,
        }
    }

    fn text_of(self, bytes: Vec<u8>, sheet: Option<&str>) -> Result<String, NotATable> {
        match self {
            Self::Text(_) => Ok(decode(bytes)?),
            Self::Table(expected) => {
                let text = table::text_of(bytes, expected, sheet)?;
                Ok(table::without_named_separator(text, expected.columns))
            }
        }
    }

    /// Names of the visible sheets of a spreadsheet, or of the lists of a text.
    fn sheets_of(self, bytes: &[u8]) -> Vec<String> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::Table(expected) => table::sheets_of(bytes, expected),
        }
    }

    /// Whether a pasted text has lists instead of a table.
    fn has_lists(self, text: &str) -> bool {
        matches!(self, Self::Table(_)) && lists::are_in(text)
    }
}

/// A text that is imported, by whom and where.
pub struct Importing<P> {
    pub state: AppState,
    pub user: UserId,
    pub address: ClientAddress,
    pub path: P,
    pub text: String,
    pub keyed: Option<KeyedRequest>,
    /// How a table is read.
    pub reading: Reading,
    /// Nothing is imported: the form asks for the wrong rows of the table as a file of this format.
    pub wrong_rows: Option<TableFormat>,
    /// The further fields that are filled in, and those that say how a table is read.
    pub further: Vec<(String, String)>,
}

impl<P> Importing<P> {
    /// A further field of the form. An empty one is absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.further.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Whether a table that was imported before is imported again: the button of the question.
    pub fn repeat(&self) -> Repeat {
        Repeat::of(self.get(AGAIN).is_some())
    }
}

/// What a form is answered with that has imported its text.
pub trait ImportAnswer: Send {
    /// `page` is the address of the form's page.
    fn answer(self, state: &AppState, form: &Form, page: Uri) -> impl Future<Output = Response> + Send;
}

/// What an import has led to, or the file with the wrong rows of its table.
pub enum ImportedOr<N> {
    Imported(N),
    File(Response),
}

impl<N: ImportAnswer> ImportAnswer for ImportedOr<N> {
    async fn answer(self, state: &AppState, form: &Form, page: Uri) -> Response {
        match self {
            Self::Imported(next) => next.answer(state, form, page).await,
            Self::File(file) => file,
        }
    }
}

/// The path of the next page.
impl ImportAnswer for String {
    async fn answer(self, _: &AppState, _: &Form, _: Uri) -> Response {
        see_other(&self)
    }
}

/// The route of a form. `may` authorizes the user before the text is received, `import` writes it. A preview,
/// and what is refused, is shown by `page`.
pub fn import_route<P, May, Allowed, Import, Done, Next, T: 'static>(
    shape: ImportForm,
    page: impl Handler<T, AppState>,
    may: May,
    import: Import,
) -> MethodRouter<AppState>
where
    P: DeserializeOwned + Copy + Send + Sync + 'static,
    May: Fn(AppState, UserId, P) -> Allowed + Clone + Send + Sync + 'static,
    Allowed: Future<Output = Result<(), Problem>> + Send,
    Import: Fn(Importing<P>) -> Done + Clone + Send + Sync + 'static,
    Done: Future<Output = Result<Next, Problem>> + Send,
    Next: ImportAnswer,
{
    post(
        async move |State(state): State<AppState>,
                    MaybeUser(user): MaybeUser,
                    address: ClientAddress,
                    path: Result<At<P>, Problem>,
                    uri: Uri,
                    parts: Parts,
                    upload: Upload| {
            let mut fields = Vec::new();
            let done = async {
                let (user, path) = allowed(&state, user.as_ref(), path)?;
                may(state.clone(), user, path).await?;
                let Some(Text { text, keyed, wrong_rows }) =
                    receive(&state, upload, shape, &mut fields).await?
                else {
                    return Ok(None);
                };
                let reading = table_form::reading(&fields, &text).map_err(Problem::fields)?;
                if let Some(unread) = shape.unread.filter(|_| wrong_rows.is_none())
                    && table_form::is_new(&state, &mut fields, &text, unread).await?
                {
                    return Ok(None);
                }
                let is_further =
                    |name: &str| shape.further.contains(&name) || table_form::FIELDS.contains(&name);
                let further = fields.iter().filter(|(name, _)| is_further(name)).cloned().collect();
                let state = state.clone();
                let importing =
                    Importing { state, user, address, path, text, keyed, reading, wrong_rows, further };
                import(importing).await.map(Some)
            };
            let done = done.await;
            let form = Form::with_fields(parts, fields);
            let address = if shape.below == 0 { uri } else { up(&uri, shape.below) };
            match done {
                Ok(Some(next)) => next.answer(&state, &form, address).await,
                Ok(None) => preview(&state, &form, page, address).await,
                Err(problem) => {
                    let beside = |problem, code| beside(shape.file, code, problem);
                    let of_files = [codes::UNSUPPORTED_MEDIA_TYPE, codes::TOO_LARGE];
                    redraw(&state, &form, page, address, of_files.into_iter().fold(problem, beside)).await
                }
            }
        },
    )
}

fn allowed<P>(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    path: Result<At<P>, Problem>,
) -> Result<(UserId, P), Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(path) = path?;
    Ok((user, path))
}

/// What is received of a form.
struct Text {
    text: String,
    keyed: Option<KeyedRequest>,
    wrong_rows: Option<TableFormat>,
}

/// The text of the file, or the pasted one; nothing for a preview. `fields` gets what the page shows again.
async fn receive(
    state: &AppState,
    upload: Upload,
    shape: ImportForm,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<Text>, Problem> {
    let limits = UploadLimits { field: shape.file, files: 1, file_bytes: shape.content.bytes_max() as u64 };
    let mut received: Received = upload.receive(limits, tempfile::tempfile).await?;
    let is_preview = received.get(PREVIEW).is_some();
    let dialect = received.get(WRONG_ROWS).filter(|_| shape.unread.is_some());
    let wrong_rows = dialect.map(|dialect| TableFormat::Csv(dialect.parse().unwrap_or_default()));
    for name in ["idempotencyKey"].iter().chain(shape.further) {
        fields.extend(received.get(name).map(|value| ((*name).to_owned(), value.to_owned())));
    }
    if shape.unread.is_some() {
        let said = received
            .texts
            .iter()
            .filter(|(name, value)| table_form::FIELDS.contains(&name.as_str()) && !value.is_empty());
        fields.extend(said.cloned());
    }
    let sheet = received.get(SHEET.name).map(str::to_owned).filter(|name| !name.is_empty());
    let shown_sheet = received.get(SHOWN_SHEET).unwrap_or_default().to_owned();
    let mut sheets: Vec<String> =
        received.texts.iter().filter(|(name, _)| name == SHEETS).map(|(_, sheet)| sheet.clone()).collect();
    let mut text = received.get(shape.pasted).map(str::to_owned);
    let keyed = received.keyed.take();
    let files = received.all_files()?;
    // A pasted text with lists stays in its field, from where each of them is read.
    let lists = text.take_if(|text| files.is_empty() && shape.content.has_lists(text));
    let needs_file =
        files.is_empty() && lists.is_none() && sheet.as_deref().unwrap_or_default() != shown_sheet;
    let mut bytes = lists.as_ref().map(|lists| lists.clone().into_bytes());
    if let Some(content) = files.into_iter().next() {
        let mut read = Vec::new();
        tokio::fs::File::from_std(content)
            .read_to_end(&mut read)
            .await
            .map_err(|error| Problem::internal(&error))?;
        bytes = Some(read);
    }
    let mut decoded = None;
    if let Some(read) = bytes {
        let wanted = sheet.clone();
        let read = move || {
            let sheets = shape.content.sheets_of(&read);
            (sheets, shape.content.text_of(read, wanted.as_deref()))
        };
        let (names, read) = state.context.work.compute(read).await?;
        sheets = names;
        decoded = Some(read);
    }
    if sheets.len() > 1 {
        let named = [(SHEET.name, sheet)].into_iter().filter_map(|(name, value)| Some((name, value?)));
        let named = named.chain(sheets.into_iter().take(SHEETS_MAX).map(|name| (SHEETS, name)));
        fields.extend(named.map(|(name, value)| (name.to_owned(), value)));
    }
    let pasted = lists.filter(|lists| lists.len() <= SHOWN_BYTES_MAX);
    let has_pasted = pasted.is_some();
    fields.extend(pasted.map(|lists| (shape.pasted.to_owned(), lists)));
    if needs_file {
        return Err(Problem::explained(shape.file, "Choose the file again: another sheet of it is read."));
    }
    if let Some(decoded) = decoded {
        text = Some(decoded.map_err(|error| unread(shape.file, &error))?);
    }
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| Problem::explained(shape.file, shape.nothing.to_owned()))?;
    let shown = if has_pasted { &[FILE_ROWS] } else { (shape.shown)(&text) };
    fields.extend(shown.iter().map(|name| ((*name).to_owned(), text.clone())));
    Ok((!is_preview).then_some(Text { text, keyed, wrong_rows }))
}

/// The text of an import as a body. `read` makes the object of it.
pub struct TextBody {
    pub text: String,
    pub keyed: Option<KeyedRequest>,
    pub read: fn(&str) -> Result<Object, Problem>,
}

impl Body for TextBody {
    fn read(self) -> Result<Object, Problem> {
        (self.read)(&self.text)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(self.keyed.clone())
    }
}

/// The member of a body with a table, and the name of the field for a pasted one.
pub const TABLE: &str = "csv";

/// A table as the member of a body.
pub fn table_body(text: &str) -> Result<Object, Problem> {
    let mut object = Object::default();
    object.set(TABLE, &text);
    Ok(object)
}

/// The page lists the errors of the rows: its field has one for all of them.
pub fn of_table(mut problem: Problem) -> Problem {
    let rows: BTreeSet<usize> = problem.fields.iter().filter_map(|field| row_of_path(&field.path)).collect();
    let rows = rows.len();
    if rows > 0 {
        let words = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
        problem.fields = vec![FieldError::explained(TABLE, format!("{words} wrong: nothing was imported."))];
    }
    problem
}
