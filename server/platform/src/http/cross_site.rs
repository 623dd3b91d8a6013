//! Protection against requests that another site makes a browser send (SPEC, section 2).

use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use url::{Host, Url};

use super::HttpSettings;
use super::cookie;
use super::problem::Problem;
use super::public_url::PublicUrl;
use crate::http::codes;

/// Paths of requests that prove who the user is without a session; sign-out needs the session.
const SIGN_IN: &str = "/api/auth/";
const SIGN_OUT: &str = "/api/auth/logout";

/// Domains for a local network or this machine.
const LOCAL_DOMAINS: [&str; 6] = [".localhost", ".local", ".lan", ".internal", ".home.arpa", ".test"];

/// The refusal of a request from another site that could change something: it has the cookie of a session,
/// signs in, or is a form, whose session may begin with it. Other requests to the API do nothing without a
/// session.
pub fn refusal(settings: &HttpSettings, request: &Request) -> Option<Problem> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return None;
    }
    let headers = request.headers();
    if names_unknown_host(headers, settings) {
        let detail = "The server does not know this name of it. Its operator sets --public-url to the address of \
                      the site.";
        return Some(Problem::new(codes::CROSS_SITE, detail));
    }
    let needs_cookie = needs_cookie(request.uri().path());
    let refused =
        is_cross_site(headers, settings) && (!needs_cookie || cookie::token(headers, settings).is_some());
    refused.then(|| Problem::plain(codes::CROSS_SITE))
}

/// Whether a request to this path does nothing for a client without a session cookie.
fn needs_cookie(path: &str) -> bool {
    path.starts_with("/api/") && (!path.starts_with(SIGN_IN) || path == SIGN_OUT)
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
