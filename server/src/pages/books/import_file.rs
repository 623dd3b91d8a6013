//! The form with a file on the page that imports entries into a book.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use app::pages::books::import::{FILE, FILE_ROWS, ROWS};
use auction_house::books::access::authorize;
use auction_house::books::import::{BYTES_MAX, import};
use auction_house::ids::BookId;
use auction_house::path::BookPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::body::Body;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::{Upload, UploadLimits};
use platform::idempotency::KeyedRequest;
use platform::net::ClientAddress;
use tokio::io::AsyncReadExt;

use super::facts::asker;
use super::import::{of_table, show};
use super::show::done;
use crate::codes;
use crate::pages::form::{Form, beside, renamed, see_other};
use crate::pages::form_route::up;
use crate::pages::redraw::{preview, redraw};
use crate::state::AppState;

/// Bytes of a table that the field for pasted rows shows after a preview: encoded it fits into a form.
const SHOWN_BYTES_MAX: usize = 16 * 1024;

/// `POST /books/{book_id}/import/file`, with a file. A preview shows a short table in the field for pasted
/// rows, from where it is imported; a long one is chosen again.
pub async fn import_file(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    address: ClientAddress,
    path: Result<At<BookPath>, Problem>,
    uri: Uri,
    parts: Parts,
    upload: Upload,
) -> Response {
    let mut fields = Vec::new();
    let imported = try_import(&state, user.as_ref(), address, path, upload, &mut fields).await;
    let form = Form::with_fields(parts, fields);
    match imported {
        Ok(Some(book_id)) => see_other(&done(book_id, "imported")),
        Ok(None) => preview(&state, &form, show, up(&uri, 1)).await,
        Err(problem) => {
            let problem = [codes::UNSUPPORTED_MEDIA_TYPE, codes::TOO_LARGE]
                .into_iter()
                .fold(renamed(of_table(problem), &[(ROWS.name, FILE.name)]), |problem, code| {
                    beside(FILE.name, code, problem)
                });
            redraw(&state, &form, show, up(&uri, 1), problem).await
        }
    }
}

/// The book, or nothing for a preview. `fields` gets what the page shows again.
async fn try_import(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    address: ClientAddress,
    path: Result<At<BookPath>, Problem>,
    upload: Upload,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<BookId>, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(BookPath { book_id }) = path?;
    let mut db = state.context.db.read().await?;
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    drop(db);
    let limits = UploadLimits { field: FILE.name, files: 1, file_bytes: BYTES_MAX as u64 };
    let mut received = upload.receive(limits, tempfile::tempfile).await?;
    let is_preview = received.get(PREVIEW).is_some();
    if let Some(key) = received.get("idempotencyKey") {
        fields.push(("idempotencyKey".to_owned(), key.to_owned()));
    }
    let keyed = received.keyed.take();
    let file = received.all_files()?.into_iter().next();
    let file = file.ok_or_else(|| Problem::explained(FILE.name, "Choose a file.".to_owned()))?;
    let mut csv = String::new();
    let read = tokio::fs::File::from_std(file).read_to_string(&mut csv).await;
    read.map_err(|_| {
        Problem::explained(FILE.name, "The file is not UTF-8: save it as “CSV UTF-8”.".to_owned())
    })?;
    fields.push((FILE_ROWS.to_owned(), csv.clone()));
    if is_preview {
        if csv.len() <= SHOWN_BYTES_MAX {
            fields.push((ROWS.name.to_owned(), csv));
        }
        return Ok(None);
    }
    import(&state.context, &asker(state, address), book_id, user, FileBody { csv, keyed }).await?;
    Ok(Some(book_id))
}

/// The table of a file as a body.
struct FileBody {
    csv: String,
    keyed: Option<KeyedRequest>,
}

impl Body for FileBody {
    fn read(self) -> Result<Object, Problem> {
        let mut object = Object::default();
        object.set(ROWS.name, &self.csv);
        Ok(object)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(self.keyed.clone())
    }
}
