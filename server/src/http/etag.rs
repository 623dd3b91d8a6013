//! `ETag`: which version of a resource an answer shows (contract, section 1).

use axum::http::{HeaderName, HeaderValue, header};

/// The header for a resource in this version.
pub fn etag(version: i64) -> [(HeaderName, HeaderValue); 1] {
    // Digits between quotes are always a header value.
    let value =
        HeaderValue::try_from(format!("\"{version}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    [(header::ETAG, value)]
}
