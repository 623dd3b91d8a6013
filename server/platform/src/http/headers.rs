//! Headers of every response (contract, section 1). A header that the response sets itself is kept.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// For responses that are not pages: a browser runs, loads and frames nothing. A page sends its own policy with a nonce.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static HEADERS: LazyLock<HeaderMap> = LazyLock::new(|| {
    // With capacity for the headers of the response.
    let mut headers = HeaderMap::with_capacity(12);
    headers.extend([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        // Responses are personal by default.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    headers
});

pub fn set_headers(headers: &mut HeaderMap) {
    // Cloning this map is cheaper than hashing and inserting its headers for each response.
    let own = std::mem::replace(headers, HEADERS.clone());
    headers.extend(own);
}
