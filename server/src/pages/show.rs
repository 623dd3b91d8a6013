//! A page, as it is asked for by its address.

use std::sync::Arc;

use app::model::Refused;
use app::render::{PageRequest, render};
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::services::PageServices;
use crate::state::AppState;
use auction_house::accounts::User;
use auction_house::accounts::extract::MaybeUser;
use platform::http::problem::Problem;

/// `GET` of every page.
pub async fn show(State(state): State<AppState>, MaybeUser(user): MaybeUser, uri: Uri) -> Response {
    draw_for(state, user, uri, None).await
}

/// What no route has: under `/api` a problem, elsewhere a page that says so.
pub async fn nothing(state: State<AppState>, user: MaybeUser, method: Method, uri: Uri) -> Response {
    let is_api = uri.path() == "/api" || uri.path().starts_with("/api/");
    let is_file = uri.path().starts_with("/pkg/");
    if is_api || is_file || !matches!(method, Method::GET | Method::HEAD) {
        return Problem::not_found().into_response();
    }
    show(state, user, uri).await
}

/// The page for its viewer; with `refused` as it stands after a form that was not taken.
pub(super) async fn draw_for(
    state: AppState,
    user: Option<Arc<User>>,
    uri: Uri,
    refused: Option<(StatusCode, Refused)>,
) -> Response {
    let assets = state.site.assets.clone();
    let services = Arc::new(PageServices::new(state, user).await);
    render(PageRequest { assets, services, uri, refused }).await
}
