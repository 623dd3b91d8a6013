//! Each request has a name, made here: it is in the answer, in the log, and in a problem.

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::entropy;
use crate::state::AppState;

const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID. What a client sends as `X-Request-Id` does not count.
#[derive(Debug, Clone, Default)]
pub struct RequestId(String);

impl RequestId {
    /// The name of the request with these extensions.
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Names the request and everything that is logged on its way.
pub async fn name_requests(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    // Without random bytes all requests bear the nil id: a worse log is no reason to refuse them.
    let id = entropy::new_id(state.clock.now()).unwrap_or_default().to_string();
    let header = HeaderValue::from_str(&id).ok();
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    request.extensions_mut().insert(RequestId(id));
    let mut response = next.run(request).instrument(span.clone()).await;
    span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
    if let Some(header) = header {
        response.headers_mut().insert(NAME, header);
    }
    response
}
