//! The whole site at a glance: every route in two tables.

mod api;
mod pages;
mod streams;

use axum::Router;
use utoipa::openapi::OpenApi;

use self::api::api;
use self::pages::pages;
use crate::http::layers::{Site, layered};
use crate::http::openapi;
use crate::state::AppState;

/// The document at `/api/openapi.json`.
pub fn document() -> OpenApi {
    openapi::complete(api().into_openapi())
}

/// Every route.
pub fn routes(state: AppState) -> Router {
    let (api, document) = api().split_for_parts();
    let document = openapi::complete(document);
    api.merge(openapi::page(document)).merge(pages()).with_state(state)
}

/// Every route with the layers around them.
pub fn site(state: AppState) -> Site {
    layered(routes(state.clone()), &state)
}
