//! Reads, so that they cannot starve bids (SPEC, section 9): a page costs a hundred times as much as a bid. A
//! bounded number of reads runs concurrently, clients take turns, a bounded number waits, and further reads
//! are refused with 503. They run on threads of low priority. Writes are not limited.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

use super::large_body::is_large;
use super::problem::Problem;
use super::request_id::CurrentRequest;
use crate::fair::{Busy, FairLimiter, FairLimits, FairPermit};
use crate::http::codes;
use crate::low_priority::LowPriority;
use crate::net::Client;

/// Reads of one client that run concurrently: fewer than there are connections to the database for reads.
const SHARE: usize = 2;
/// Requests that may wait, and those of one client.
const WAITING_MAX: usize = 4096;
const WAITING_OF_ONE_MAX: usize = 1024;
/// How long a request may wait.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Permits for reads.
#[derive(Debug)]
pub struct ReadLimiter(FairLimiter<Client>);

impl ReadLimiter {
    /// Two for each core: while one waits for the database, the thread has another to work on. With more, the
    /// short ones wait for the parts of all long ones. Half of them are for light clients, so that a page
    /// finds a permit, and bids a core, while others read as much as they can.
    pub fn for_this_machine() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (waiting, waiting_of_one) = (WAITING_MAX, WAITING_OF_ONE_MAX);
        let (running, share, wait) = (2 * cores, SHARE, WAIT_MAX);
        Self(FairLimiter::reserving(cores, FairLimits { running, share, waiting, waiting_of_one, wait }))
    }

    /// Waits for a permit of this client.
    pub async fn acquire(&self, client: Client) -> Result<FairPermit<Client>, Problem> {
        let permit = self.0.acquire(client).await;
        permit.map_err(|Busy| overloaded("Too many pages are being read at the moment."))
    }
}

/// The permit of a read. Its handler releases it before it waits for something slow; otherwise it is released
/// with the head of the response. Clones are the same permit.
#[derive(Debug, Clone, Default)]
pub struct ReadPermit(Arc<Mutex<Option<FairPermit<Client>>>>);

impl ReadPermit {
    pub fn release(&self) {
        drop(self.0.lock().take());
    }
}

/// The permit of the request; none for a request that needs none.
impl<S: Send + Sync> FromRequestParts<S> for ReadPermit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestClass {
    /// At once: a write with a small body; a file, which costs almost nothing; or a health check, which a
    /// busy server must answer too.
    Immediate,
    /// On a thread of low priority: a write with a large body.
    LargeBody,
    /// One of a bounded number, on the thread of its connection: a live stream, whose events are not to be
    /// delayed.
    Limited,
    /// One of a bounded number, on a thread of low priority: any other read.
    LowPriority,
}

impl RequestClass {
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let is_api = path.starts_with("/api/");
        let is_file = path.starts_with("/pkg/") || path.starts_with("/api/docs/");
        let is_free =
            is_file || matches!(path, "/api/openapi.json" | "/healthz" | "/readyz" | "/favicon.ico");
        if is_large(request) {
            Self::LargeBody
        } else if !matches!(*request.method(), Method::GET | Method::HEAD) || is_free {
            Self::Immediate
        } else if is_api && path.ends_with("/events") {
            Self::Limited
        } else {
            Self::LowPriority
        }
    }
}

/// Answers a request of a class with a limit, with the permit in its extensions. The permit is released with
/// the head of the response, so that a stream does not keep one.
pub async fn limit_reads<A>(
    limiter: &ReadLimiter,
    threads: &LowPriority,
    (class, client): (RequestClass, Client),
    mut request: Request,
    answer: impl FnOnce(Request) -> A,
) -> Response
where
    A: Future<Output = Response> + Send + 'static,
{
    let permit = match limiter.acquire(client).await {
        Ok(permit) => ReadPermit(Arc::new(Mutex::new(Some(permit)))),
        Err(overloaded) => return overloaded.into_response(),
    };
    request.extensions_mut().insert(permit.clone());
    // Also if the request is cancelled while a clone is left.
    let _permit = scopeguard::guard(permit, |permit| permit.release());
    if class == RequestClass::Limited {
        return answer(request).await;
    }
    let answered = threads.run(CurrentRequest::inherit(answer(request))).await;
    answered.unwrap_or_else(|_| overloaded("The server is shutting down.").into_response())
}

fn overloaded(detail: &'static str) -> Problem {
    Problem::new(codes::OVERLOADED, detail).retry_after(2)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    /// An export is refused as often as one asks for it: who may have it is read as a page is.
    #[test]
    fn only_what_costs_little_is_answered_at_once() {
        let class = |method: Method, path: &str| {
            let request = Request::builder().method(method).uri(path).body(Body::empty());
            RequestClass::of(&request.unwrap())
        };
        for path in ["/pkg/app.css", "/api/docs/", "/api/openapi.json", "/healthz", "/favicon.ico"] {
            assert_eq!(class(Method::GET, path), RequestClass::Immediate, "{path}");
        }
        for path in ["/", "/api/auctions/x/export", "/api/books/x/export", "/healthz/x", "/api/auctions"] {
            assert_eq!(class(Method::GET, path), RequestClass::LowPriority, "{path}");
        }
        assert_eq!(class(Method::GET, "/api/auctions/x/events"), RequestClass::Limited);
        assert_eq!(class(Method::POST, "/api/auctions"), RequestClass::Immediate);
    }
}
