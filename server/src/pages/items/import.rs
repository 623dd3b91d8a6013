//! `/auctions/{auction_id}/items/import`: imports items from a table, with a preview that writes nothing.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::import_form::{FILE, FILE_ROWS};
use app::model::{ItemImportPage, ItemImportRow};
use app::pages::items::import::{CHANGED, CREATED, ROWS, ZONE, item_import_page};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currencies;
use auction_house::items::import::plan::{PlannedRow, Write};
use auction_house::items::import::{BYTES_MAX, Imported, Preview, Target, import_items, preview_items};
use auction_house::path::AuctionPath;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::Upload;
use platform::zone::Zone;

use crate::codes;
use crate::pages::books::import::of_table;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::import_file::{ReceivedText, TextBody, answer};
use crate::pages::money::default_first;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use app::components::error_page::LoadError;

/// Bytes of a table that the field for pasted rows shows after a preview.
const SHOWN_BYTES_MAX: usize = 48 * 1024;

/// `GET /auctions/{auction_id}/items/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, item_import_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ItemImportPage> {
    let (AuctionPath { auction_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, request.now).await?.require(Action::AddItems)?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    drop(db);
    let submitted = |name| request.refused().and_then(|refused| refused.value(name));
    let rows = submitted(FILE_ROWS).or_else(|| submitted(ROWS.name)).filter(|rows| !rows.is_empty());
    let preview = match rows.map(str::to_owned) {
        Some(rows) => {
            let zone = submitted(ZONE).and_then(Zone::named).unwrap_or_default();
            let target = Target { auction_id, user, zone };
            let preview = preview_items(&request.state.context, target, || Ok(rows)).await;
            // The user has imported too much, or the server is stopping.
            preview.map_err(|_| PageError(LoadError::Unavailable))?
        }
        None => Preview::default(),
    };
    let money = match default_first(&currencies).into_iter().next() {
        Some(currency) => {
            let pieces: Vec<_> = currency.denominations.iter().map(|piece| piece.code.as_str()).collect();
            match pieces.as_slice() {
                [] => format!("Minimum and increment are in {}.", currency.name),
                pieces => format!(
                    "Minimum and increment are counts of {}, such as {}.",
                    pieces.join("."),
                    vec!["1"; pieces.len()].join(".")
                ),
            }
        }
        None => "A column currency has codes such as EUR.".to_owned(),
    };
    let row = |planned: PlannedRow| ItemImportRow {
        row: planned.number,
        lot: planned.lot.to_string(),
        name: planned.name,
        action: match planned.write {
            Write::Create(_) => "A new lot",
            Write::Change(_) => "Changes the lot",
            Write::Nothing => "Stays as it is",
        },
    };
    Ok(ItemImportPage {
        auction_id: auction_id.to_string(),
        manages: seen.may(Action::AssignItems),
        auction_name: seen.auction.terms.name,
        money,
        rows: preview.plan.rows.into_iter().map(row).collect(),
        errors: preview.plan.errors.into_iter().map(|error| (error.path, error.message)).collect(),
        ignored_columns: preview.ignored_columns,
    })
}

/// `POST /auctions/{auction_id}/items/import/file`, with pasted rows or a file.
pub async fn import_table(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    parts: Parts,
    upload: Upload,
) -> Response {
    let mut fields = Vec::new();
    let imported = try_import(&state, user.as_ref(), path, upload, &mut fields).await;
    let imported = imported.map_err(of_table);
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
    authorize(&mut db, auction_id, user, now).await?.require(Action::AddItems)?;
    drop(db);
    let received = ReceivedText::receive(upload, (FILE.name, ROWS.name), BYTES_MAX, &[ZONE], fields).await?;
    let ReceivedText { text, is_preview, keyed } = received;
    let nothing = || Problem::explained(FILE.name, "Paste rows, or choose a file.".to_owned());
    let text = text.ok_or_else(nothing)?;
    fields.push((FILE_ROWS.to_owned(), text.clone()));
    if text.len() <= SHOWN_BYTES_MAX {
        fields.push((ROWS.name.to_owned(), text.clone()));
    }
    if is_preview {
        return Ok(None);
    }
    let zone = fields.iter().find(|(name, _)| name == ZONE).and_then(|(_, name)| Zone::named(name));
    let target = Target { auction_id, user, zone: zone.unwrap_or_default() };
    let body = TextBody { text, keyed, read: table };
    let Imported { created, changed, .. } = import_items(&state.context, target, body).await?.resource;
    Ok(Some(format!("/auctions/{auction_id}/items/import?{CREATED}={created}&{CHANGED}={changed}")))
}

/// The table as the member of a body.
fn table(text: &str) -> Result<Object, Problem> {
    let mut object = Object::default();
    object.set(ROWS.name, &text);
    Ok(object)
}
