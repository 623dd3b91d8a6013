//! Headers that every answer carries (contract, section 1). An answer that has set one itself keeps it.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// For what is no page: nothing of it is run, loaded or framed. Pages send their own, with a nonce.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static HEADERS: LazyLock<HeaderMap> = LazyLock::new(|| {
    // With room for those of the answer.
    let mut headers = HeaderMap::with_capacity(12);
    headers.extend([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        // Answers are personal unless they say otherwise.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    headers
});

pub fn set_headers(headers: &mut HeaderMap) {
    // The other way round each of these would be hashed for every answer.
    let own = std::mem::replace(headers, HEADERS.clone());
    headers.extend(own);
}
