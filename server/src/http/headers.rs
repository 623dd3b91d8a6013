//! Headers that every answer carries (contract, section 1). An answer that has set one itself keeps it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// For what is no page: nothing of it is run, loaded or framed. Pages send their own, with a nonce.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    // Answers are personal unless they say otherwise.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

pub fn set_headers(headers: &mut HeaderMap) {
    // At once, with room for the two that come after: a map that grows is hashed anew each time.
    headers.reserve(HEADERS.len() + 2);
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
}
