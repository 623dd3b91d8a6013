//! Each request has a name, made here: it is in the answer, in the log, and in a problem.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tracing::Span;
use uuid::Uuid;

use crate::clock::Moment;
use crate::entropy;

const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID. What a client sends as `X-Request-Id` does not count.
#[derive(Debug, Clone, Copy)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Without random bytes all requests bear the nil id: a worse log is no reason to refuse them.
    pub fn new(now: Moment) -> Self {
        Self(entropy::new_id(now).unwrap_or_default())
    }

    /// Names everything that is logged on the way of `request`.
    pub fn span(self, request: &Request) -> Span {
        let Self(id) = self;
        tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path())
    }

    /// Names the answer.
    pub fn name(self, headers: &mut HeaderMap) {
        let mut text = Uuid::encode_buffer();
        if let Ok(value) = HeaderValue::from_str(self.0.hyphenated().encode_lower(&mut text)) {
            headers.insert(NAME, value);
        }
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
