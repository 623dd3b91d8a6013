//! Requests that another site makes a browser send (contract, section 2).
//!
//! What a browser says of a request is judged once, on its way in; the routes that it could harm refuse it,
//! after the router has looked at the method.

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
use super::problem::{Code, Problem};
use super::public_url::PublicUrl;

/// Where a request comes from. Missing from a request it counts as elsewhere, with a cookie.
#[derive(Debug, Clone, Copy)]
enum Source {
    Here,
    Elsewhere { rides_on_cookie: bool },
}

/// Judges where the request comes from.
pub fn judge_source(settings: &HttpSettings, request: &mut Request) {
    let headers = request.headers();
    let source = if is_elsewhere(headers, settings) {
        Source::Elsewhere { rides_on_cookie: cookie::token(headers, settings).is_some() }
    } else {
        Source::Here
    };
    request.extensions_mut().insert(source);
}

/// Whether a route minds that what changes something comes from elsewhere.
#[derive(Debug, Clone, Copy)]
pub enum Guard {
    /// If it rides on a cookie: for routes that act by the session.
    Cookie,
    /// In any case: for routes that begin a session, and forms.
    Always,
}

impl Guard {
    fn refuses(self, request: &Request) -> bool {
        let judged = request.extensions().get().copied();
        let source = judged.unwrap_or(Source::Elsewhere { rides_on_cookie: true });
        let minds = match (self, source) {
            (_, Source::Here) => false,
            (Self::Cookie, Source::Elsewhere { rides_on_cookie }) => rides_on_cookie,
            (Self::Always, Source::Elsewhere { .. }) => true,
        };
        minds && !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
    }
}

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: *self, inner }
    }
}

/// A route behind its guard.
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
            Either::Right(ready(Ok(Problem::plain(Code::CrossSite).into_response())))
        } else {
            Either::Left(self.inner.call(request))
        }
    }
}

/// Browsers that know `Sec-Fetch-Site` are believed; older ones, and plain http, send `Origin`. What sends
/// neither is no browser. A sibling (`same-site`) may be anyone's, and `null` is.
fn is_elsewhere(headers: &HeaderMap, settings: &HttpSettings) -> bool {
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
            // A proxy may speak https to the browser and http to us: the host is what counts.
            ["http", "https"].iter().all(|scheme| {
                format!("{scheme}://{host}").parse::<PublicUrl>().ok().as_ref() != Some(&origin)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elsewhere(headers: &[(&'static str, &str)], public_url: Option<&str>) -> bool {
        let pairs = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let public_url = public_url.map(|text| text.parse().unwrap());
        is_elsewhere(&pairs.collect(), &HttpSettings { public_url, ..HttpSettings::default() })
    }

    #[test]
    fn sec_fetch_site_decides_where_it_is_sent() {
        for (site, expected) in
            [("same-origin", false), ("none", false), ("same-site", true), ("cross-site", true)]
        {
            let headers = [("sec-fetch-site", site), ("host", "a.example"), ("origin", "http://a.example")];
            assert_eq!(elsewhere(&headers, None), expected, "{site}");
        }
    }

    #[test]
    fn an_origin_must_be_the_requests_host() {
        let from = |origin| elsewhere(&[("host", "a.example:3000"), ("origin", origin)], None);
        assert!(!from("http://a.example:3000"));
        assert!(!from("https://a.example:3000"));
        assert!(from("http://a.example"));
        assert!(from("http://b.example:3000"));
        assert!(from("null"));
        assert!(from(""));
        assert!(!elsewhere(&[("host", "a.example"), ("origin", "https://a.example")], None));
        assert!(elsewhere(&[("origin", "https://a.example")], None));
    }

    #[test]
    fn a_public_url_goes_before_the_host() {
        let from = |host, origin| elsewhere(&[("host", host), ("origin", origin)], Some("https://a.example"));
        assert!(!from("10.0.0.7:3000", "https://a.example"));
        assert!(from("b.example", "https://b.example"));
        assert!(from("a.example", "http://a.example"));
    }

    #[test]
    fn what_is_no_browser_comes_from_nowhere_else() {
        assert!(!elsewhere(&[("host", "a.example")], Some("https://b.example")));
    }
}
