//! Protection against requests that another site makes a browser send (SPEC, section 2).
//!
//! A layer around all routes determines the source of a request from its headers. The routes that such a
//! request could harm refuse it, after the router has checked the method.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use futures::future::Either;
use tower::{Layer, Service};

use super::HttpSettings;
use super::cookie;
use super::problem::Problem;
use super::public_url::PublicUrl;
use crate::http::codes;

/// Where a request comes from. A request without this extension counts as cross-site with a cookie.
#[derive(Debug, Clone, Copy)]
enum Source {
    ThisSite,
    OtherSite { has_cookie: bool },
}

/// Determines the source of the request, for the guards of its route.
pub fn mark_source(settings: &HttpSettings, request: &mut Request) {
    let headers = request.headers();
    let source = if is_cross_site(headers, settings) {
        Source::OtherSite { has_cookie: cookie::token(headers, settings).is_some() }
    } else {
        Source::ThisSite
    };
    request.extensions_mut().insert(source);
}

/// Which cross-site requests a route refuses, unless their method is safe.
#[derive(Debug, Clone, Copy)]
pub enum Guard {
    /// Requests with a session cookie: for routes that act for the session's user.
    Cookie,
    /// All: for routes that create a session, and for forms.
    Always,
}

impl Guard {
    fn refuses(self, request: &Request) -> bool {
        let source = request.extensions().get().copied();
        let source = source.unwrap_or(Source::OtherSite { has_cookie: true });
        let is_refused = match (self, source) {
            (_, Source::ThisSite) => false,
            (Self::Cookie, Source::OtherSite { has_cookie }) => has_cookie,
            (Self::Always, Source::OtherSite { .. }) => true,
        };
        is_refused && !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
    }
}

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: *self, inner }
    }
}

/// A route that its guard protects.
#[derive(Debug, Clone)]
pub struct Guarded<S> {
    guard: Guard,
    inner: S,
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<S::Future, Ready<Result<Response, Infallible>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if self.guard.refuses(&request) {
            Either::Right(ready(Ok(Problem::plain(codes::CROSS_SITE).into_response())))
        } else {
            Either::Left(self.inner.call(request))
        }
    }
}

/// `Sec-Fetch-Site` decides where a browser sends it; older browsers, and plain http, send `Origin`. A client
/// that sends neither is not a browser. Another host of the same site may belong to an attacker, so
/// `same-site` is cross-site, as is the origin `null`.
fn is_cross_site(headers: &HeaderMap, settings: &HttpSettings) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site != "same-origin" && site != "none";
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let origin = origin.to_str().ok().and_then(|text| text.parse::<PublicUrl>().ok());
    match (origin, &settings.public_url) {
        (None, _) => true,
        (Some(origin), Some(public_url)) => origin != *public_url,
        (Some(origin), None) => {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
            // A proxy may use https towards the browser and http towards this server: only the host is
            // compared.
            ["http", "https"].iter().all(|scheme| {
                format!("{scheme}://{host}").parse::<PublicUrl>().ok().as_ref() != Some(&origin)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cross_site(headers: &[(&'static str, &str)], public_url: Option<&str>) -> bool {
        let pairs = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let public_url = public_url.map(|text| text.parse().unwrap());
        is_cross_site(&pairs.collect(), &HttpSettings { public_url, ..HttpSettings::default() })
    }

    #[test]
    fn sec_fetch_site_decides_if_present() {
        for (site, expected) in
            [("same-origin", false), ("none", false), ("same-site", true), ("cross-site", true)]
        {
            let headers = [("sec-fetch-site", site), ("host", "a.example"), ("origin", "http://a.example")];
            assert_eq!(cross_site(&headers, None), expected, "{site}");
        }
    }

    #[test]
    fn an_origin_must_match_the_host() {
        let from = |origin| cross_site(&[("host", "a.example:3000"), ("origin", origin)], None);
        assert!(!from("http://a.example:3000"));
        assert!(!from("https://a.example:3000"));
        assert!(from("http://a.example"));
        assert!(from("http://b.example:3000"));
        assert!(from("null"));
        assert!(from(""));
        assert!(!cross_site(&[("host", "a.example"), ("origin", "https://a.example")], None));
        assert!(cross_site(&[("origin", "https://a.example")], None));
    }

    #[test]
    fn a_public_url_overrides_the_host() {
        let from =
            |host, origin| cross_site(&[("host", host), ("origin", origin)], Some("https://a.example"));
        assert!(!from("10.0.0.7:3000", "https://a.example"));
        assert!(from("b.example", "https://b.example"));
        assert!(from("a.example", "http://a.example"));
    }

    #[test]
    fn a_client_without_these_headers_is_not_a_browser() {
        assert!(!cross_site(&[("host", "a.example")], Some("https://b.example")));
    }
}
