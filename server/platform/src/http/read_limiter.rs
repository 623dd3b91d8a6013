//! Reads, so that they cannot starve bids (SPEC, section 9): a page costs a hundred times as much as a bid. A
//! bounded number of reads runs concurrently, a bounded number waits, and further reads are refused with 503.
//! They run on threads of low priority. Writes are not limited.

use std::time::Duration;

use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::problem::Problem;
use super::request_id::CurrentRequest;
use crate::http::codes;
use crate::low_priority::LowPriority;

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

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestClass {
    /// At once: a write, a file, which costs almost nothing, or a health check, which a busy server must
    /// answer too.
    Immediate,
    /// As one of a bounded number, on the thread of its connection: a live stream, whose events are not to be
    /// delayed.
    Limited,
    /// As one of a bounded number, on a thread of low priority: any other read.
    LowPriority,
}

impl RequestClass {
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let is_api = path.starts_with("/api/");
        let is_file = path.starts_with("/pkg/") || path.starts_with("/api/docs/");
        let is_free =
            is_file || matches!(path, "/api/openapi.json" | "/healthz" | "/readyz" | "/favicon.ico");
        if !matches!(*request.method(), Method::GET | Method::HEAD) || is_free {
            Self::Immediate
        } else if is_api && path.ends_with("/events") {
            Self::Limited
        } else {
            Self::LowPriority
        }
    }
}

/// Answers a request. A limited one waits for a permit first, which is released with the head of the
/// response, so that a stream does not keep one.
pub async fn limit_reads(
    limiter: &ReadLimiter,
    threads: &LowPriority,
    class: RequestClass,
    answer: impl Future<Output = Response> + Send + 'static,
) -> Response {
    if class == RequestClass::Immediate {
        return answer.await;
    }
    let Some(_permit) = limiter.acquire().await else {
        return overloaded("Too many pages are being read at the moment.");
    };
    if class == RequestClass::Limited {
        return answer.await;
    }
    let answered = threads.run(CurrentRequest::inherit(answer)).await;
    answered.unwrap_or_else(|_| overloaded("The server is shutting down."))
}

fn overloaded(detail: &'static str) -> Response {
    Problem::new(codes::OVERLOADED, detail).retry_after(2).into_response()
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
