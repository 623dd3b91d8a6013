//! The handler of every page.

use std::sync::Arc;

use app::model::Refused;
use app::render::{PageRequest, render};
use app::routes::PATHS;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::account::ENTRANCE;
use super::form::{local, see_other};
use super::services::PageServices;
use crate::state::AppState;
use accounts::extract::MaybeUser;
use accounts::preferences::ZoneName;
use accounts::session::SignedIn;
use platform::http::paging::parameters;
use platform::http::problem::{Code, Problem};
use platform::http::{HttpSettings, cookie};
use platform::zone::Zone;

/// `GET` of a page.
pub async fn show(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    if user.is_some() && matches!(uri.path(), "/sign-in" | "/register") {
        return see_other(&entrance(&uri));
    }
    let client = PageClient::of(&headers, &state.http);
    render_for(state, user, client, uri, None).await
}

/// The page to which signing in leads.
fn entrance(uri: &Uri) -> String {
    let query = parameters(&RawQuery(uri.query().map(str::to_owned)));
    let next = query.iter().find(|(name, _)| name == "next").map(|(_, next)| next.as_str());
    local(next).unwrap_or(ENTRANCE).to_owned()
}

/// The answer if no route matches: a problem under `/api` and `/pkg`, elsewhere the page “Page not found”.
pub async fn not_found(
    state: State<AppState>,
    user: MaybeUser,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let is_api = uri.path() == "/api" || uri.path().starts_with("/api/");
    let is_file = uri.path().starts_with("/pkg/");
    if is_api || is_file || !matches!(method, Method::GET | Method::HEAD) {
        return Problem::not_found().into_response();
    }
    show(state, user, headers, uri).await
}

/// The answer to a method that the address of a page or form does not support. A browser that asks for the address of a
/// button, such as after an error, gets the page on which the button is.
pub async fn wrong_method(method: Method, uri: Uri) -> Response {
    match method {
        Method::GET | Method::HEAD => see_other(&page_above(uri.path())),
        _ => Problem::plain(Code::MethodNotAllowed).into_response(),
    }
}

/// The path of the closest page above this one.
fn page_above(path: &str) -> String {
    let is_page = |path: &str| {
        let same = |(part, pattern): (&str, &str)| pattern.starts_with(':') || part == pattern;
        PATHS.iter().any(|page| {
            page.split('/').count() == path.split('/').count()
                && path.split('/').zip(page.split('/')).all(same)
        })
    };
    let mut above = path;
    while let Some((rest, _)) = above.rsplit_once('/').filter(|(rest, _)| !rest.is_empty()) {
        if is_page(rest) {
            return rest.to_owned();
        }
        above = rest;
    }
    "/".to_owned()
}

/// What a page depends on besides its address and its viewer.
#[derive(Default)]
pub(super) struct PageClient {
    /// The zone of the times of a viewer who prefers none.
    pub zone: Zone,
    /// The address of this site, as the client knows it.
    pub site: String,
    /// Id of the currency in which the viewer bid last, of the auction of the page. `app/src/page.js` sets it.
    pub currency: Option<String>,
}

impl PageClient {
    pub fn of(headers: &HeaderMap, settings: &HttpSettings) -> Self {
        Self {
            zone: cookie::zone(headers),
            site: settings.site(headers),
            currency: cookie::value(headers, CURRENCY).map(str::to_owned),
        }
    }
}

/// Name of the cookie with the currency. Its path is that of the auction's pages.
const CURRENCY: &str = "currency";

/// The page at `uri` for its viewer. `refused` is a form of the page that the server refused, with the status of the
/// response.
pub(super) async fn render_for(
    state: AppState,
    user: Option<Arc<SignedIn>>,
    client: PageClient,
    uri: Uri,
    refused: Option<(StatusCode, Refused)>,
) -> Response {
    let assets = Arc::clone(&state.assets);
    let preferred = user.as_ref().and_then(|user| user.preferences.time_zone.as_ref());
    let zone = preferred.map_or(client.zone, ZoneName::zone);
    let client = PageClient { zone, ..client };
    let services = Arc::new(PageServices::new(state, user, client).await);
    render(PageRequest { assets, services, uri, refused }).await
}
