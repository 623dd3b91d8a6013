//! Memory for answers that their clients have not read yet. The kernel buffers the beginning of an answer;
//! the rest stays in the server's memory until the client has read enough. All connections share one budget
//! for it.

use std::sync::Arc;

use axum::body::{self, Body, Bytes, HttpBody};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;
use crate::http::codes;

/// The budget of all answers together.
const BUDGET_KIB: usize = 16 * 1024;
/// Smaller answers take nothing of it, so that bids, problems and compressed pages always pass.
const FREE_BYTES: usize = 16 * 1024;
/// The largest part of an answer that is written part by part.
const PART_KIB: u32 = 256;

/// The budget.
#[derive(Debug)]
pub struct AnswerMemory(Arc<Semaphore>);

/// Too many answers are unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many answers are unread")]
pub struct NoMemory;

/// Bytes with their part of the budget.
struct HeldBytes {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Default for AnswerMemory {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(BUDGET_KIB)))
    }
}

impl AnswerMemory {
    /// Takes memory for the bytes. They return it when they have been written, or are dropped.
    pub fn hold(&self, bytes: Bytes) -> Result<Bytes, NoMemory> {
        if bytes.len() <= FREE_BYTES {
            return Ok(bytes);
        }
        let permit = Arc::clone(&self.0).try_acquire_many_owned(kib(bytes.len())).map_err(|_| NoMemory)?;
        Ok(Bytes::from_owner(HeldBytes { bytes, _permit: permit }))
    }

    /// Takes memory for the body of an answer. Without memory the answer is 503, unless it reports a change:
    /// a refused request has had no effect (SPEC, section 1). Rate limits bound the number of changes.
    pub async fn hold_answer(&self, method: &Method, response: Response) -> Response {
        let reports_a_change = !method.is_safe() && !response.status().is_client_error();
        let (parts, body) = response.into_parts();
        let Some(length) = body.size_hint().exact() else {
            let is_event_stream =
                parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            // Events are small, and what comes before them is read as slowly as the client reads it.
            let body = if is_event_stream { body } else { self.hold_parts(body) };
            return Response::from_parts(parts, body);
        };
        if length <= FREE_BYTES as u64 {
            return Response::from_parts(parts, body);
        }
        // A body of known length is in memory already.
        let Ok(bytes) = body::to_bytes(body, usize::MAX).await else {
            return Problem::plain(codes::INTERNAL).into_response();
        };
        match self.hold(bytes.clone()) {
            Ok(held) => Response::from_parts(parts, held.into()),
            Err(NoMemory) if reports_a_change => Response::from_parts(parts, bytes.into()),
            Err(NoMemory) => Problem::new(codes::OVERLOADED, "Too many clients do not read their answers.")
                .retry_after(2)
                .into_response(),
        }
    }

    /// Takes memory for each part before it is read.
    fn hold_parts(&self, body: Body) -> Body {
        let memory = Arc::clone(&self.0);
        let parts = stream::try_unfold(body.into_data_stream(), move |mut parts| {
            let memory = Arc::clone(&memory);
            async move {
                // The semaphore is never closed.
                let permit = memory.acquire_many_owned(PART_KIB).await.map_err(axum::Error::new)?;
                let Some(bytes) = parts.next().await.transpose()? else { return Ok(None) };
                Ok::<_, axum::Error>(Some((held(bytes, permit), parts)))
            }
        });
        Body::from_stream(parts)
    }
}

/// The bytes with as much of the permit as they need.
fn held(bytes: Bytes, mut permit: OwnedSemaphorePermit) -> Bytes {
    let rest = permit.num_permits().saturating_sub(bytes.len().div_ceil(1024));
    drop(permit.split(rest));
    Bytes::from_owner(HeldBytes { bytes, _permit: permit })
}

fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use futures::FutureExt;

    use super::*;

    const LARGE: usize = 256 * 1024;

    fn large() -> Bytes {
        vec![b'x'; LARGE].into()
    }

    /// All of the memory.
    fn exhaust(memory: &AnswerMemory) -> Vec<Bytes> {
        let held: Vec<Bytes> = std::iter::from_fn(|| memory.hold(large()).ok()).take(1_000).collect();
        assert_eq!(held.len(), BUDGET_KIB * 1024 / LARGE);
        held
    }

    async fn answered(memory: &AnswerMemory, method: Method, response: impl IntoResponse) -> StatusCode {
        memory.hold_answer(&method, response.into_response()).await.status()
    }

    /// The status of a problem that is not written yet.
    const REFUSED: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

    #[tokio::test]
    async fn without_memory_a_large_answer_is_refused_until_another_is_written() {
        let memory = AnswerMemory::default();
        let mut held = exhaust(&memory);
        assert_eq!(answered(&memory, Method::GET, large()).await, REFUSED);
        assert_eq!(answered(&memory, Method::GET, "small").await, StatusCode::OK);
        let invalid = (StatusCode::UNPROCESSABLE_ENTITY, large());
        assert_eq!(answered(&memory, Method::POST, invalid).await, REFUSED);
        assert_eq!(answered(&memory, Method::POST, large()).await, StatusCode::OK, "it had an effect");
        // A part of the bytes keeps all of them.
        let rest = held.pop().map(|mut bytes| bytes.split_off(LARGE - 1));
        assert_eq!(memory.hold(large()), Err(NoMemory));
        drop(rest);
        assert_eq!(answered(&memory, Method::GET, large()).await, StatusCode::OK);
    }

    #[tokio::test]
    async fn a_part_waits_for_memory_before_it_is_read() {
        let memory = AnswerMemory::default();
        let mut held = exhaust(&memory);
        let parts = stream::iter([Ok::<_, std::io::Error>(large()), Ok(large())]);
        let response = Body::from_stream(parts).into_response();
        let mut parts = memory.hold_answer(&Method::GET, response).await.into_body().into_data_stream();
        assert!(parts.next().now_or_never().is_none(), "no memory");
        held.pop();
        let first = parts.next().await.unwrap().unwrap();
        assert!(parts.next().now_or_never().is_none(), "the first part holds it");
        drop(first);
        assert_eq!(parts.next().await.unwrap().unwrap().len(), LARGE);
        assert!(parts.next().await.is_none());
        assert!(memory.hold(large()).is_ok());
    }
}
