//! `/auctions/{auction_id}/currencies/import/file`: the form that adds currencies and rules from a file.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::pages::auctions::currencies::import::{FILE, LONG_SET, SET};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currency_sets::add::add_currency_set;
use auction_house::path::AuctionPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::http::body::FILE_BYTES_MAX;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::Upload;

use super::done;
use super::import::{beside, of_text, show};
use crate::codes;
use crate::pages::form::{Form, renamed};
use crate::pages::import_file::{ReceivedText, TextBody, answer};
use crate::state::AppState;

/// Bytes of a document that the field shows after a preview: a page is not longer than a few of them.
const SHOWN_BYTES_MAX: usize = 48 * 1024;

/// `POST /auctions/{auction_id}/currencies/import/file`
pub async fn import_file(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    parts: Parts,
    upload: Upload,
) -> Response {
    let mut fields = Vec::new();
    let imported = try_import(&state, user.as_ref(), path, upload, &mut fields).await;
    let imported = imported.map_err(|problem| renamed(problem, &[("", SET.name)]));
    let form = Form::with_fields(parts, fields);
    answer(&state, &form, show, &uri, FILE.name, imported).await
}

/// The next page, or nothing for a preview. `fields` gets what the page shows again.
async fn try_import(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    path: Result<At<AuctionPath>, Problem>,
    upload: Upload,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<String>, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(AuctionPath { auction_id }) = path?;
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    drop(db);
    let received = ReceivedText::receive(upload, (FILE.name, SET.name), FILE_BYTES_MAX, &[], fields).await?;
    let ReceivedText { text, is_preview, keyed } = received;
    let nothing = || Problem::explained(FILE.name, "Choose a file, or paste its contents.".to_owned());
    let text = text.ok_or_else(nothing)?;
    let shown = if text.len() <= SHOWN_BYTES_MAX { SET.name } else { LONG_SET };
    fields.push((shown.to_owned(), text.clone()));
    if is_preview {
        return Ok(None);
    }
    let body = TextBody { text, keyed, read: of_text };
    let added = add_currency_set(&state.context, auction_id, user, body).await;
    added.map_err(|error| beside(SET.name, error.into()))?;
    Ok(Some(done(auction_id, "set-added")))
}
