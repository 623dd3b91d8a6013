//! The whole site at a glance: every route in one table.

use axum::Router;
use axum::middleware::from_fn;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::http::cross_site::{guard_always, guard_cookie};
use crate::http::{layers, openapi};
use crate::state::AppState;
use crate::{accounts, system};

/// Routes with what they say of themselves in the OpenAPI document.
fn api() -> OpenApiRouter<AppState> {
    use accounts::routes as account;
    use system::routes as system;

    OpenApiRouter::with_openapi(openapi::outline())
        .routes(sign_in(routes!(account::register)))
        .routes(sign_in(routes!(account::login)))
        .routes(by_session(routes!(account::logout)))
        .routes(by_session(routes!(account::get_user, account::patch_user, account::delete_user)))
        .routes(by_session(routes!(account::change_password)))
        .routes(routes!(system::healthz))
        .routes(routes!(system::readyz))
}

/// The document at `/api/openapi.json`.
pub fn document() -> OpenApi {
    openapi::complete(api().into_openapi())
}

/// The router with all its layers, ready to be served.
pub fn router(state: AppState) -> Router {
    let (api, document) = api().split_for_parts();
    let document = openapi::complete(document);
    let site = api.merge(openapi::page(document));
    layers::around(site.with_state(state.clone()), &state)
}

/// Routes that act by the session of whoever asks.
fn by_session(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(from_fn(guard_cookie)))
}

/// Routes that begin a session.
fn sign_in(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(from_fn(guard_always)))
}
