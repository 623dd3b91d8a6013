//! The form with a file on the page that imports entries into a book.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::import_form::{FILE, FILE_ROWS};
use app::pages::books::import::ROWS;
use auction_house::books::access::authorize;
use auction_house::books::import::{BYTES_MAX, import};
use auction_house::path::BookPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::Upload;
use platform::net::ClientAddress;

use super::facts::asker;
use super::import::{of_table, show};
use super::show::done;
use crate::codes;
use crate::pages::form::{Form, renamed};
use crate::pages::import_file::{ReceivedText, TextBody, answer};
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
    let imported = imported.map_err(|problem| renamed(of_table(problem), &[(ROWS.name, FILE.name)]));
    let form = Form::with_fields(parts, fields);
    answer(&state, &form, show, &uri, FILE.name, imported).await
}

/// The next page, or nothing for a preview. `fields` gets what the page shows again.
async fn try_import(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    address: ClientAddress,
    path: Result<At<BookPath>, Problem>,
    upload: Upload,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<String>, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(BookPath { book_id }) = path?;
    let mut db = state.context.db.read().await?;
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    drop(db);
    let received = ReceivedText::receive(upload, (FILE.name, FILE.name), BYTES_MAX, &[], fields).await?;
    let ReceivedText { text, is_preview, keyed } = received;
    let nothing = || Problem::explained(FILE.name, "Choose a file.".to_owned());
    let text = text.ok_or_else(nothing)?;
    fields.push((FILE_ROWS.to_owned(), text.clone()));
    if is_preview {
        if text.len() <= SHOWN_BYTES_MAX {
            fields.push((ROWS.name.to_owned(), text));
        }
        return Ok(None);
    }
    let body = TextBody { text, keyed, read: table };
    import(&state.context, &asker(state, address), (book_id, None), user, body).await?;
    Ok(Some(done(book_id, "imported")))
}

/// The table as the member of a body.
fn table(text: &str) -> Result<Object, Problem> {
    let mut object = Object::default();
    object.set(ROWS.name, &text);
    Ok(object)
}
