//! Each request has a name, made here: it is in the answer, in the log, and in a problem.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use uuid::Uuid;

use crate::random;
use crate::time::Moment;

const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID. What a client sends as `X-Request-Id` does not count.
#[derive(Debug, Clone, Copy)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Without random bytes all requests bear the nil id: a worse log is no reason to refuse them.
    pub fn new(now: Moment) -> Self {
        Self(random::new_id(now).unwrap_or_default())
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

tokio::task_local! {
    // Shared, since it is moved in and out whenever the task goes on.
    static ANSWERED: Arc<Answered>;
}

/// The request that a task answers.
#[derive(Debug)]
pub struct Answered {
    pub id: RequestId,
    pub method: Method,
    pub uri: Uri,
}

impl Answered {
    pub fn new(id: RequestId, request: &Request) -> Self {
        Self { id, method: request.method().clone(), uri: request.uri().clone() }
    }

    /// Answers it: what is logged meanwhile names it.
    pub async fn during<T>(self, answering: impl Future<Output = T>) -> T {
        ANSWERED.scope(Arc::new(self), answering).await
    }

    /// The one of this task, if it answers any.
    pub fn here() -> Option<Arc<Self>> {
        ANSWERED.try_with(Arc::clone).ok()
    }
}
