//! Requests with a large body. Whatever its handler does with it, such as parsing it, refusing it with an
//! error for each field, or showing it again, takes longer than a bid may wait: it runs on threads of low
//! priority, one request of a client at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};

use super::body::{BODY_BYTES_MAX, media_type, receive};
use super::csv_body::is_table;
use super::problem::Problem;
use super::request_id::CurrentRequest;
use crate::fair::{Busy, FairLimiter, FairLimits};
use crate::http::codes;
use crate::low_priority::LowPriority;
use crate::net::Client;

/// The largest body that is handled on the thread of a connection. Reading and refusing it takes less than a
/// millisecond.
pub const SMALL_BYTES_MAX: usize = 4 * 1024;

/// One of a client at a time. Many in all, since a request may wait for the database.
const LIMITS: FairLimits =
    FairLimits { running: 32, share: 1, waiting: 1024, waiting_of_one: 64, wait: Duration::from_secs(10) };

/// The turns of clients whose requests have large bodies. Clones share them.
#[derive(Debug, Clone)]
pub struct LargeBodies(FairLimiter<Client>);

impl Default for LargeBodies {
    fn default() -> Self {
        Self(FairLimiter::new(LIMITS))
    }
}

/// Whether the body of a request may be large. Files of forms are received part by part, and have permits of
/// their own.
pub fn is_large(request: &Request) -> bool {
    let headers = request.headers();
    if matches!(*request.method(), Method::GET | Method::HEAD)
        || media_type(headers).eq_ignore_ascii_case("multipart/form-data")
    {
        return false;
    }
    length(request)
        .map_or_else(|| headers.contains_key(header::TRANSFER_ENCODING), |length| length > SMALL_BYTES_MAX)
}

fn length(request: &Request) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

impl LargeBodies {
    /// Answers a request with a large body. One that is not too large is received before its turn, so that a
    /// slow client holds nothing. Tables take turns by user, and do not wait for this one.
    pub async fn answer<A>(
        &self,
        threads: &Arc<LowPriority>,
        client: Client,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response
    where
        A: Future<Output = Response> + Send + 'static,
    {
        let is_table = is_table(media_type(request.headers()));
        let takes_turns = !is_table && length(&request).is_some_and(|length| length <= BODY_BYTES_MAX);
        let (mut request, mut permit) = (request, None);
        if takes_turns {
            let (parts, body) = request.into_parts();
            let body = match receive(body).await {
                Ok(body) => body,
                Err(problem) => return problem.into_response(),
            };
            request = Request::from_parts(parts, Body::from(body));
            match self.0.acquire(client).await {
                Ok(turn) => permit = Some(turn),
                Err(Busy) => return busy().into_response(),
            }
        }
        let answered = threads.run(CurrentRequest::inherit(answer(request))).await;
        drop(permit);
        answered.unwrap_or_else(|_| busy().into_response())
    }
}

fn busy() -> Problem {
    Problem::new(codes::OVERLOADED, "Too many large requests are waiting at the moment. Try again soon.")
        .retry_after(2)
}
