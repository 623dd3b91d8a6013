//! The handler of every page.

use std::sync::Arc;

use app::model::Refused;
use app::render::{PageRequest, render};
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::services::PageServices;
use crate::state::AppState;
use auction_house::accounts::extract::MaybeUser;
use auction_house::accounts::session::SignedIn;
use platform::http::problem::Problem;

/// `GET` of a page.
pub async fn show(State(state): State<AppState>, MaybeUser(user): MaybeUser, uri: Uri) -> Response {
    render_for(state, user, uri, None).await
}

/// The answer if no route matches: a problem under `/api` and `/pkg`, elsewhere the page “Page not found”.
pub async fn not_found(state: State<AppState>, user: MaybeUser, method: Method, uri: Uri) -> Response {
    let is_api = uri.path() == "/api" || uri.path().starts_with("/api/");
    let is_file = uri.path().starts_with("/pkg/");
    if is_api || is_file || !matches!(method, Method::GET | Method::HEAD) {
        return Problem::not_found().into_response();
    }
    show(state, user, uri).await
}

/// The page at `uri` for its viewer. `refused` is a form of the page that the server refused, with the status of the
/// response.
pub(super) async fn render_for(
    state: AppState,
    user: Option<Arc<SignedIn>>,
    uri: Uri,
    refused: Option<(StatusCode, Refused)>,
) -> Response {
    let assets = Arc::clone(&state.assets);
    let services = Arc::new(PageServices::new(state, user).await);
    render(PageRequest { assets, services, uri, refused }).await
}
