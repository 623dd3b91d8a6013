//! Concurrency limit for reads, so that page views cannot starve bids (contract, section 9): a page costs a hundred times
//! as much as a bid. A bounded number of reads runs concurrently, a bounded number waits, and further reads are refused
//! with 503. Writes are not limited.

use std::time::Duration;

use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::problem::{Code, Problem};

/// Requests that may wait.
const WAITING_MAX: usize = 4096;
/// How long a request may wait.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Permits for reads.
#[derive(Debug)]
pub struct ReadLimiter {
    running: Semaphore,
    /// Bounds the reads that run or wait.
    admitted: Semaphore,
}

impl ReadLimiter {
    /// Four for each core: while some wait for the database, each thread has one to work on.
    pub fn for_this_machine() -> Self {
        Self::new(4 * std::thread::available_parallelism().map_or(1, usize::from), WAITING_MAX)
    }

    fn new(running: usize, waiting: usize) -> Self {
        Self { running: Semaphore::new(running), admitted: Semaphore::new(running + waiting) }
    }

    /// Waits for a permit. There is none if too many requests wait, or if it takes too long.
    async fn acquire(&self) -> Option<(SemaphorePermit<'_>, SemaphorePermit<'_>)> {
        let admitted = self.admitted.try_acquire().ok()?;
        let running = tokio::time::timeout(WAIT_MAX, self.running.acquire()).await.ok()?.ok()?;
        Some((admitted, running))
    }
}

/// Answers a request. A limited one waits for a permit first, which is released with the head of the response, so that a
/// stream does not keep one.
pub async fn limit_reads(
    limiter: &ReadLimiter,
    is_limited: bool,
    answer: impl Future<Output = Response>,
) -> Response {
    if !is_limited {
        return answer.await;
    }
    match limiter.acquire().await {
        Some(_permit) => answer.await,
        None => Problem::new(Code::Overloaded, "Too many pages are being read at the moment.")
            .retry_after(2)
            .into_response(),
    }
}

/// Whether the request is a limited read. Files cost almost nothing, and a busy server must answer health checks too.
pub fn is_limited(request: &Request) -> bool {
    let path = request.uri().path();
    let is_file = path.starts_with("/pkg/") || path.starts_with("/api/docs/");
    let is_free = is_file || matches!(path, "/api/openapi.json" | "/healthz" | "/readyz" | "/favicon.ico");
    matches!(*request.method(), Method::GET | Method::HEAD) && !is_free
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_read_beyond_the_limit_waits_and_one_beyond_the_queue_is_refused() {
        let limiter = ReadLimiter::new(1, 1);
        let first = limiter.acquire().await;
        assert!(first.is_some());
        let mut second = Box::pin(limiter.acquire());
        assert!((&mut second).now_or_never().is_none(), "waits");
        assert!(limiter.acquire().await.is_none(), "the queue is full");
        drop(first);
        assert!(second.await.is_some());
        assert!(limiter.acquire().await.is_some(), "all permits are free again");
    }
}
