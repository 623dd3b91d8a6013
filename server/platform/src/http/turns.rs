//! Reading waits its turn, so that bids outlive browsing (contract, section 9): a page costs a hundred times
//! what a bid does, and as many as like to could ask for one. Only so many are made at a time, as many wait as
//! can be served soon, and the rest is told to come back. Bids, and all else that writes, pass by.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::problem::{Code, Problem};

/// Requests that may wait.
const WAITING_MAX: usize = 4096;
/// How long one may wait.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// See the module.
#[derive(Debug)]
pub struct Turns {
    turns: Semaphore,
    /// For those who have a turn and those who wait for one.
    room: Semaphore,
}

impl Turns {
    /// Four for each core: while some ask the database, each thread has one to make.
    pub fn for_this_machine() -> Self {
        Self::new(4 * std::thread::available_parallelism().map_or(1, usize::from), WAITING_MAX)
    }

    fn new(turns: usize, waiting: usize) -> Self {
        Self { turns: Semaphore::new(turns), room: Semaphore::new(turns + waiting) }
    }

    /// Waits for a turn; none where too many wait, or it takes too long.
    async fn take(&self) -> Option<(SemaphorePermit<'_>, SemaphorePermit<'_>)> {
        let room = self.room.try_acquire().ok()?;
        let turn = tokio::time::timeout(WAIT_MAX, self.turns.acquire()).await.ok()?.ok()?;
        Some((room, turn))
    }
}

/// Lets what only reads in turn by turn. A turn ends with the head of the answer, so that a stream holds none.
pub async fn in_turn(State(turns): State<Arc<Turns>>, request: Request, next: Next) -> Response {
    if !reads(&request) {
        return next.run(request).await;
    }
    match turns.take().await {
        Some(_turn) => next.run(request).await,
        None => Problem::new(Code::Overloaded, "Too many are reading at the moment.")
            .retry_after(2)
            .into_response(),
    }
}

/// Whether the request is of those that are counted. Files cost nothing, and whether the server is well must be
/// told when it is busy, too.
fn reads(request: &Request) -> bool {
    let path = request.uri().path();
    let is_free = path.starts_with("/pkg/") || matches!(path, "/healthz" | "/readyz" | "/favicon.ico");
    matches!(*request.method(), Method::GET | Method::HEAD) && !is_free
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn who_finds_no_room_is_refused_and_who_waits_comes_in_order() {
        let turns = Turns::new(1, 1);
        let first = turns.take().await;
        assert!(first.is_some());
        let mut second = Box::pin(turns.take());
        assert!((&mut second).now_or_never().is_none(), "waits");
        assert!(turns.take().await.is_none(), "no room");
        drop(first);
        assert!(second.await.is_some());
        assert!(turns.take().await.is_some(), "all is free again");
    }
}
