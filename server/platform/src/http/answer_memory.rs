//! Memory for answers that their clients have not read yet. The kernel buffers the beginning of an answer;
//! the rest stays in the server's memory until the client has read enough. All connections share one budget
//! for it, of which one client gets a part.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::{self, Body, Bytes, HttpBody};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use parking_lot::Mutex;

use super::problem::Problem;
use crate::http::codes;
use crate::net::Client;

/// The budget of all answers together.
const BUDGET_BYTES: usize = 16 * 1024 * 1024;
/// The budget of the answers to one client. A single answer may be larger.
const OF_ONE_BYTES: usize = 1024 * 1024;
/// Smaller answers take nothing of it, so that bids, problems and compressed pages always pass.
const FREE_BYTES: usize = 16 * 1024;
/// What an answer takes that is read from a file part by part.
const STREAM_BYTES: usize = 128 * 1024;

/// The budget.
#[derive(Debug, Clone, Default)]
pub struct AnswerMemory(Arc<Mutex<Held>>);

/// Too many answers are unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many answers are unread")]
pub struct NoMemory;

/// Bytes of unread answers.
#[derive(Debug, Default)]
struct Held {
    total: usize,
    by_client: HashMap<Client, usize>,
}

/// A part of the budget, which returns when it is dropped.
struct Reserved {
    memory: AnswerMemory,
    client: Client,
    size: usize,
}

/// Bytes with their part of the budget.
struct HeldBytes {
    bytes: Bytes,
    _reserved: Reserved,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AnswerMemory {
    /// Takes memory for the bytes. They return it when they have been written, or are dropped.
    pub fn hold(&self, client: impl Into<Client>, bytes: Bytes) -> Result<Bytes, NoMemory> {
        if bytes.len() <= FREE_BYTES {
            return Ok(bytes);
        }
        let reserved = self.reserve(client.into(), bytes.len())?;
        Ok(Bytes::from_owner(HeldBytes { bytes, _reserved: reserved }))
    }

    fn reserve(&self, client: Client, size: usize) -> Result<Reserved, NoMemory> {
        let mut held = self.0.lock();
        let of_client = held.by_client.get(&client).copied().unwrap_or(0);
        let is_beyond_share = of_client > 0 && of_client + size > OF_ONE_BYTES;
        if is_beyond_share || held.total + size > BUDGET_BYTES {
            return Err(NoMemory);
        }
        held.total += size;
        held.by_client.insert(client, of_client + size);
        drop(held);
        Ok(Reserved { memory: self.clone(), client, size })
    }

    /// Takes memory for the body of an answer. Without memory the answer is 503, unless it reports a change:
    /// a refused request has had no effect (SPEC, section 1). Rate limits bound the number of changes.
    pub async fn hold_answer(&self, client: Client, method: &Method, response: Response) -> Response {
        let reports_a_change = !method.is_safe() && !response.status().is_client_error();
        let (parts, body) = response.into_parts();
        let Some(length) = body.size_hint().exact() else {
            let is_event_stream =
                parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            // Events are small, and what comes before them is read as slowly as the client reads it.
            if is_event_stream {
                return Response::from_parts(parts, body);
            }
            return match self.reserve(client, STREAM_BYTES) {
                Ok(reserved) => Response::from_parts(parts, with(reserved, body)),
                Err(NoMemory) => refused(),
            };
        };
        if length <= FREE_BYTES as u64 {
            return Response::from_parts(parts, body);
        }
        // A body of known length is in memory already.
        let Ok(bytes) = body::to_bytes(body, usize::MAX).await else {
            return Problem::plain(codes::INTERNAL).into_response();
        };
        match self.hold(client, bytes.clone()) {
            Ok(held) => Response::from_parts(parts, held.into()),
            Err(NoMemory) if reports_a_change => Response::from_parts(parts, bytes.into()),
            Err(NoMemory) => refused(),
        }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut held = self.memory.0.lock();
        held.total -= self.size;
        if let Some(of_client) = held.by_client.get_mut(&self.client) {
            *of_client -= self.size;
            if *of_client == 0 {
                held.by_client.remove(&self.client);
            }
        }
    }
}

/// The body, which keeps its memory until it is sent.
fn with(reserved: Reserved, body: Body) -> Body {
    Body::from_stream(body.into_data_stream().map(move |part| {
        let _until_sent = &reserved;
        part
    }))
}

fn refused() -> Response {
    Problem::new(codes::OVERLOADED, "Too many clients do not read their answers.")
        .retry_after(2)
        .into_response()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::http::StatusCode;
    use futures::stream;

    use super::*;
    use crate::net::ClientAddress;

    const LARGE: usize = 256 * 1024;

    fn client(n: u8) -> Client {
        ClientAddress::of(Ipv4Addr::new(192, 0, 2, n).into()).into()
    }

    fn large() -> Bytes {
        vec![b'x'; LARGE].into()
    }

    /// All of a client's share.
    fn exhaust(memory: &AnswerMemory, client: Client) -> Vec<Bytes> {
        let held: Vec<Bytes> = std::iter::from_fn(|| memory.hold(client, large()).ok()).take(1_000).collect();
        assert_eq!(held.len(), OF_ONE_BYTES / LARGE);
        held
    }

    async fn answered(memory: &AnswerMemory, method: Method, response: impl IntoResponse) -> StatusCode {
        memory.hold_answer(client(1), &method, response.into_response()).await.status()
    }

    /// The status of a problem that is not written yet.
    const REFUSED: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

    #[tokio::test]
    async fn without_memory_a_large_answer_is_refused_until_another_is_written() {
        let memory = AnswerMemory::default();
        let mut held = exhaust(&memory, client(1));
        assert_eq!(answered(&memory, Method::GET, large()).await, REFUSED);
        assert_eq!(answered(&memory, Method::GET, "small").await, StatusCode::OK);
        let invalid = (StatusCode::UNPROCESSABLE_ENTITY, large());
        assert_eq!(answered(&memory, Method::POST, invalid).await, REFUSED);
        assert_eq!(answered(&memory, Method::POST, large()).await, StatusCode::OK, "it had an effect");
        // A part of the bytes keeps all of them.
        let rest = held.pop().map(|mut bytes| bytes.split_off(LARGE - 1));
        assert_eq!(memory.hold(client(1), large()), Err(NoMemory));
        drop(rest);
        assert_eq!(answered(&memory, Method::GET, large()).await, StatusCode::OK);
    }

    #[test]
    fn a_client_that_reads_nothing_leaves_the_others_their_memory() {
        let memory = AnswerMemory::default();
        let mut held = exhaust(&memory, client(1));
        assert!(memory.hold(client(2), large()).is_ok());
        held.extend((3..18).flat_map(|n| exhaust(&memory, client(n))));
        assert_eq!(memory.hold(client(2), large()), Err(NoMemory), "all is taken");
        drop(held);
        let larger = Bytes::from(vec![b'x'; 2 * OF_ONE_BYTES]);
        let larger = memory.hold(client(1), larger).expect("one answer");
        assert_eq!(memory.hold(client(1), large()), Err(NoMemory));
        drop(larger);
        assert!(memory.0.lock().by_client.is_empty());
    }

    #[tokio::test]
    async fn an_answer_from_a_file_has_its_memory_before_it_begins_and_until_it_is_sent() {
        let memory = AnswerMemory::default();
        let file = || {
            let parts = stream::iter([Ok::<_, std::io::Error>(large()), Ok(large())]);
            Body::from_stream(parts).into_response()
        };
        let held = exhaust(&memory, client(1));
        assert_eq!(answered(&memory, Method::GET, file()).await, REFUSED);
        drop(held);
        let response = memory.hold_answer(client(1), &Method::GET, file()).await;
        assert_eq!(memory.0.lock().total, STREAM_BYTES);
        let sent = body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!((sent.len(), memory.0.lock().total), (2 * LARGE, 0));
    }
}
