//! `/auctions/{auction_id}/currencies/import/file`: the form that adds currencies and rules from a file.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use app::pages::auctions::currencies::import::{FILE, LONG_SET, SET};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currency_sets::add::{Run, add_currency_set};
use auction_house::ids::AuctionId;
use auction_house::path::AuctionPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::body::Body;
use platform::fields::Object;
use platform::http::body::FILE_BYTES_MAX;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::{Upload, UploadLimits};
use platform::idempotency::KeyedRequest;
use tokio::io::AsyncReadExt;

use super::done;
use super::import::{beside, of_text, show};
use crate::codes;
use crate::pages::form::{self, Form, renamed, see_other};
use crate::pages::form_route::up;
use crate::pages::redraw::{preview, redraw};
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
    let form = Form::with_fields(parts, fields);
    match imported {
        Ok(Some(auction_id)) => see_other(&done(auction_id, "set-added")),
        Ok(None) => preview(&state, &form, show, up(&uri, 1)).await,
        Err(problem) => {
            let problem = [codes::UNSUPPORTED_MEDIA_TYPE, codes::TOO_LARGE]
                .into_iter()
                .fold(renamed(problem, &[("", SET.name)]), |problem, code| {
                    form::beside(FILE.name, code, problem)
                });
            redraw(&state, &form, show, up(&uri, 1), problem).await
        }
    }
}

/// The auction, or nothing for a preview. `fields` gets what the page shows again.
async fn try_import(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    path: Result<At<AuctionPath>, Problem>,
    upload: Upload,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<AuctionId>, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(AuctionPath { auction_id }) = path?;
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    drop(db);
    let limits = UploadLimits { field: FILE.name, files: 1, file_bytes: FILE_BYTES_MAX as u64 };
    let mut received = upload.receive(limits, tempfile::tempfile).await?;
    let is_preview = received.get(PREVIEW).is_some();
    if let Some(key) = received.get("idempotencyKey") {
        fields.push(("idempotencyKey".to_owned(), key.to_owned()));
    }
    let mut text = received.get(SET.name).unwrap_or_default().to_owned();
    let keyed = received.keyed.take();
    if let Some(file) = received.all_files()?.into_iter().next() {
        text.clear();
        let read = tokio::fs::File::from_std(file).read_to_string(&mut text).await;
        read.map_err(|_| Problem::explained(FILE.name, "The file is not UTF-8.".to_owned()))?;
    }
    if text.trim().is_empty() {
        return Err(Problem::explained(FILE.name, "Choose a file, or paste its contents.".to_owned()));
    }
    let shown = if text.len() <= SHOWN_BYTES_MAX { SET.name } else { LONG_SET };
    fields.push((shown.to_owned(), text.clone()));
    if is_preview {
        return Ok(None);
    }
    let body = FileBody { object: of_text(&text)?, keyed };
    let added = add_currency_set(&state.context, auction_id, user, body, Run::Write).await;
    added.map_err(|error| beside(SET.name, error.into()))?;
    Ok(Some(auction_id))
}

/// The document of a file as a body.
struct FileBody {
    object: Object,
    keyed: Option<KeyedRequest>,
}

impl Body for FileBody {
    fn read(self) -> Result<Object, Problem> {
        Ok(self.object)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(self.keyed.clone())
    }
}
