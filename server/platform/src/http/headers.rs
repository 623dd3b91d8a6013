//! Headers of every response (SPEC, section 1). A header that the response sets itself is kept.

use std::sync::LazyLock;

use axum::http::header::Entry;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// For responses that are not pages: a browser runs, loads and frames nothing. A page sends its own policy
/// with a nonce.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// One year, for this host only: other hosts of the domain are not Farthing's.
const HTTPS_ONLY: &str = "max-age=31536000";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What pages do without, and a script in them must not use.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), \
    gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), \
    publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
    xr-spatial-tracking=()";

// Signing out sends no Clear-Site-Data: "cookies" would also delete those of other hosts of the domain,
// "storage" amounts that are typed and calls of a clerk that are not sent yet, and "cache" the files of the
// pages, which are not personal. `page.js` deletes the pages that a clerk's browser keeps.
static HEADERS: LazyLock<HeaderMap> = LazyLock::new(|| {
    // With capacity for the headers of the response.
    let mut headers = HeaderMap::with_capacity(14);
    headers.extend([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS)),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
        // Responses are personal by default.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    headers
});

static HEADERS_OF_HTTPS: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = HEADERS.clone();
    headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_ONLY));
    headers
});

/// `is_https`: browsers reach this server by https. JSON, most of it for programs, gets those that concern
/// data: it is nothing that a browser runs, and `nosniff` keeps it so.
pub fn set_headers(headers: &mut HeaderMap, is_https: bool) {
    let common = if is_https { &HEADERS_OF_HTTPS } else { &HEADERS };
    if is_json(headers) {
        for name in [&header::X_CONTENT_TYPE_OPTIONS, &RESOURCE_POLICY, &header::CACHE_CONTROL]
            .into_iter()
            .chain(is_https.then_some(&header::STRICT_TRANSPORT_SECURITY))
        {
            if let (Some(value), Entry::Vacant(vacant)) = (common.get(name), headers.entry(name)) {
                vacant.insert(value.clone());
            }
        }
        return;
    }
    // Cloning this map is cheaper than hashing and inserting its headers for each response.
    let own = std::mem::replace(headers, (*common).clone());
    headers.extend(own);
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    matches!(kind, Some(b"application/json" | b"application/problem+json"))
}
