//! A request for a page: its viewer, what every page shows of them, and the response.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use app::components::account_links::sign_in_link;
use app::components::error_page::{LoadError, error_page};
use app::html::Html;
use app::model::{LocalMoment, Refused};
use app::render::render;
use app::request::{RequestContext, ViewerZone};
use axum::body::Body;
use axum::extract::{FromRequestParts, RawQuery};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::de::DeserializeOwned;

use super::error::{Loaded, PageError};
use super::header::Header;
use super::money_style::MoneyStyle;
use super::presentation::Presentation;
use super::redraw::RefusedForm;
use super::viewer_locale::locale_of;
use crate::state::AppState;
use accounts::extract::MaybeUser;
use accounts::preferences::ZoneName;
use accounts::session::SignedIn;
use auction_house::ids::UserId;
use platform::db::{Connection, DbError};
use platform::http::cookie;
use platform::http::paging::parameters;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::net::ClientAddress;
use platform::paging::Page;
use platform::random;
use platform::time::Moment;

/// Name of the cookie with the currency in which the viewer bid last. Its path is that of the auction's
/// pages. `app/src/page.js` sets it.
const CURRENCY: &str = "currency";

/// A request for a page. Each page's handler takes it, reads what the page shows, and calls
/// [`PageRequest::render`].
pub struct PageRequest {
    pub state: AppState,
    pub user: Option<Arc<SignedIn>>,
    /// Where the request comes from.
    pub address: ClientAddress,
    /// The time of the request, used by every part of the page.
    pub now: Moment,
    /// Id of the currency in which the viewer bid last in the auction of the page.
    pub last_currency: Option<String>,
    /// A BCP 47 tag: that of the account, or else of the browser.
    pub locale: Option<String>,
    context: RequestContext,
    /// A form of the page that the server refused, whose values and errors the page shows.
    refused: Option<RefusedForm>,
}

impl FromRequestParts<AppState> for PageRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let MaybeUser(user) = MaybeUser::from_request_parts(parts, state).await?;
        let Ok(address) = ClientAddress::from_request_parts(parts, state).await;
        let now = state.context.clock.now();
        let header = Header::read(state, user.as_deref(), now).await;
        let locale = locale_of(user.as_deref(), &parts.headers).map(str::to_owned);
        let search = parts.uri.query().unwrap_or_default().to_owned();
        let context = RequestContext {
            assets: Arc::clone(&state.assets),
            fragments: Arc::clone(&state.pages.fragments),
            viewer: user.as_deref().map(|user| header.viewer(user)),
            now: now.millis(),
            zone: Arc::new(viewer_zone(user.as_deref(), &parts.headers)),
            has_decimal_comma: MoneyStyle::of(locale.as_deref()).has_comma(),
            path: parts.uri.path().to_owned(),
            query: parameters(&RawQuery(Some(search.clone()))),
            search,
            site: state.http.site(&parts.headers),
            // `render` makes it: a redirect needs none.
            new_key: String::new(),
            newer_release: header.newer_release,
            pause: header.pause,
        };
        Ok(Self {
            state: state.clone(),
            locale,
            user,
            address,
            now,
            last_currency: cookie::value(&parts.headers, CURRENCY).map(str::to_owned),
            context,
            refused: parts.extensions.remove(),
        })
    }
}

impl PageRequest {
    /// The signed-in user of a page for members.
    pub fn signed_in(&self) -> Loaded<&SignedIn> {
        self.user.as_deref().ok_or(PageError(LoadError::SignInRequired))
    }

    pub fn user_id(&self) -> Loaded<UserId> {
        self.signed_in().map(|user| user.id)
    }

    /// The viewer of a page that may be readable without an account: then it is [`UserId::NOBODY`].
    pub fn reader(&self) -> UserId {
        self.user.as_ref().map_or(UserId::NOBODY, |user| user.id)
    }

    /// A connection to read the page's data.
    pub async fn db(&self) -> Result<Connection, DbError> {
        self.state.context.db.read().await
    }

    /// A parameter of the query. An empty one is absent.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.context.query(name)
    }

    /// The requested page of a list, as text.
    pub fn cursor(&self) -> Option<String> {
        self.query("cursor").map(str::to_owned)
    }

    /// The requested page of a list. An invalid cursor requests the first page.
    pub fn page<C: FromStr>(&self) -> Page<C> {
        Page::after(self.query("cursor").and_then(|cursor| cursor.parse().ok()))
    }

    /// The form of the page that was refused or is previewed.
    pub fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref().map(|form| &form.shown)
    }

    /// The address of this site, as the client knows it.
    pub fn site(&self) -> &str {
        &self.context.site
    }

    /// How the viewer's locale writes money.
    pub fn money_style(&self) -> MoneyStyle {
        MoneyStyle::of(self.locale.as_deref())
    }

    /// The time of the request, as the viewer reads it.
    pub fn now_in_words(&self) -> String {
        (self.context.zone.date_and_time)(self.context.now)
    }

    /// How a page with this description is shown.
    pub fn presentation(&self, markdown: String) -> Presentation {
        Presentation {
            description: self.state.pages.rendered(markdown),
            style: self.money_style(),
            now: self.now,
        }
    }

    /// The response: the page that `view` makes of its data, or the page of the error. The page of a refused
    /// form has the status of the refusal.
    pub fn render<T>(self, loaded: Loaded<T>, view: impl FnOnce(T) -> Html) -> Response {
        let needs_sign_in = self.refused.as_ref().is_some_and(|form| form.needs_sign_in);
        let loaded = if needs_sign_in { Err(PageError(LoadError::SignInRequired)) } else { loaded };
        let error = loaded.as_ref().err().map(|PageError(error)| *error);
        let location = (error == Some(LoadError::SignInRequired))
            .then(|| sign_in_link(&self.context.path, &self.context.search));
        let (status, refused) = self.refused.map(|form| (form.status, form.shown)).unzip();
        let context = RequestContext { new_key: random::new_id(self.now).to_string(), ..self.context };
        let page = render(context, refused, || match loaded {
            Ok(data) => view(data),
            Err(PageError(error)) => error_page(error),
        });
        let mut response = Response::new(Body::from(page.html));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        if let Ok(policy) = HeaderValue::from_str(&page.content_security_policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        if let Some(location) = location.and_then(|location| HeaderValue::from_str(&location).ok()) {
            headers.insert(header::LOCATION, location);
        }
        if error == Some(LoadError::Unavailable) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        let own = error.and_then(|error| StatusCode::from_u16(error.status()).ok()).unwrap_or_default();
        *response.status_mut() = status.filter(|status| !status.is_success()).unwrap_or(own);
        response
    }
}

/// The ids in the address of a page. An invalid id names nothing.
pub struct PageAt<P>(pub Loaded<P>);

impl<P: DeserializeOwned + Send> FromRequestParts<AppState> for PageAt<P> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let path = At::from_request_parts(parts, state).await;
        Ok(Self(path.map(|At(path)| path).map_err(|_| PageError(LoadError::NotFound))))
    }
}

/// The zone that the user prefers, or that of the browser.
fn viewer_zone(user: Option<&SignedIn>, headers: &HeaderMap) -> ViewerZone {
    let preferred = user.and_then(|user| user.preferences.time_zone.as_ref());
    let zone = preferred.map_or_else(|| cookie::zone(headers), ZoneName::zone);
    let (name, local) = (zone.name().to_owned(), zone.clone());
    ViewerZone {
        name,
        is_preferred: preferred.is_some(),
        date_and_time: Box::new(move |moment| {
            Moment::from_millis(moment).map(|moment| zone.date_and_time(moment)).unwrap_or_default()
        }),
        local: Box::new(move |moment| {
            let Some(moment) = Moment::from_millis(moment) else { return LocalMoment::default() };
            LocalMoment { local: local.local(moment), stamp: moment.to_string() }
        }),
    }
}
