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
use url::{Host, Url};

use super::HttpSettings;
use super::cookie;
use super::problem::Problem;
use super::public_url::PublicUrl;
use crate::http::codes;

/// Domains for a local network or this machine.
const LOCAL_DOMAINS: [&str; 6] = [".localhost", ".local", ".lan", ".internal", ".home.arpa", ".test"];

/// Where a request comes from. A request without this extension counts as cross-site with a cookie.
#[derive(Debug, Clone, Copy)]
enum Source {
    ThisSite,
    OtherSite {
        has_cookie: bool,
    },
    /// A browser has sent it, to a host that may be anybody's name for this server.
    UnknownHost,
}

/// Determines the source of the request, for the guards of its route.
pub fn mark_source(settings: &HttpSettings, request: &mut Request) {
    let headers = request.headers();
    let source = if names_unknown_host(headers, settings) {
        Source::UnknownHost
    } else if is_cross_site(headers, settings) {
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
    fn refusal(self, request: &Request) -> Option<Problem> {
        if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
            return None;
        }
        let source = request.extensions().get().copied();
        match (self, source.unwrap_or(Source::OtherSite { has_cookie: true })) {
            (_, Source::ThisSite) | (Self::Cookie, Source::OtherSite { has_cookie: false }) => None,
            (_, Source::OtherSite { .. }) => Some(Problem::plain(codes::CROSS_SITE)),
            (_, Source::UnknownHost) => {
                let detail = "The server does not know this name of it. Its operator sets --public-url to the address of \
                              the site.";
                Some(Problem::new(codes::CROSS_SITE, detail))
            }
        }
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
        match self.guard.refusal(&request) {
            Some(problem) => Either::Right(ready(Ok(problem.into_response()))),
            None => Either::Left(self.inner.call(request)),
        }
    }
}

/// Whether a browser names a host that an attacker could have registered and led to this server, so that the
/// origin of the attacker's page is that of the request. Addresses, and names that no registry gives out, are
/// this site. With a public URL the origin is compared with that.
fn names_unknown_host(headers: &HeaderMap, settings: &HttpSettings) -> bool {
    let is_browser = headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN);
    if !is_browser || settings.public_url.is_some() {
        return false;
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let url = Url::parse(&format!("http://{host}")).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.contains('.') && !LOCAL_DOMAINS.iter().any(|domain| name.ends_with(domain))
        }
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => false,
        None => true,
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
    fn without_a_public_url_a_browser_names_an_address_or_a_local_name() {
        let unknown = |host: &str, header: &'static str, public_url: Option<&str>| {
            let headers = [("host", host), (header, "same-origin")];
            let pairs = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            let public_url = public_url.map(|text| text.parse().unwrap());
            names_unknown_host(&pairs.collect(), &HttpSettings { public_url, ..HttpSettings::default() })
        };
        for host in [
            "127.0.0.1:3000",
            "[::1]:3000",
            "192.168.1.7",
            "localhost:3000",
            "nas",
            "nas.local:80",
            "a.localhost",
        ] {
            assert!(!unknown(host, "sec-fetch-site", None), "{host}");
        }
        for host in ["evil.example", "evil.example:3000", "evil.example.", "127.0.0.1.evil.example", ""] {
            assert!(unknown(host, "sec-fetch-site", None), "{host}");
            assert!(unknown(host, "origin", None), "{host}");
            assert!(!unknown(host, "accept", None), "not a browser: {host}");
            assert!(!unknown(host, "sec-fetch-site", Some("https://bids.example")), "{host}");
        }
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
