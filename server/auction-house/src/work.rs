//! Long work of requests: exports, imports and copies. It waits behind its own user first, and runs on
//! threads of low priority. What it writes costs the user as many writes as if it had been typed.

mod large_write;

use std::sync::Arc;
use std::time::Duration;

use accounts::limits::RateLimits;
use platform::fair::{Busy, FairLimiter, FairLimits, FairPermit};
use platform::http::codes;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::http::request_id::CurrentRequest;
use platform::limits::TooMany;
use platform::low_priority::{LowPriority, Unfinished};
use platform::net::Client;
use platform::touched_rows::ROWS_OF_A_WRITE;

pub use self::large_write::LargeWrite;
use self::large_write::LargeWrites;
use crate::ids::UserId;

/// One of a user at a time, and two in all.
const LIMITS: FairLimits =
    FairLimits { running: 2, share: 1, waiting: 64, waiting_of_one: 4, wait: Duration::from_secs(10) };
/// Bytes that cost as much as one request that writes, which is the size of its body.
const BYTES_OF_A_WRITE: usize = 64 * 1024;

/// What long work shares.
pub struct LongWork {
    threads: Arc<LowPriority>,
    limits: Arc<RateLimits>,
    exports: FairLimiter<UserId>,
    bulk_writes: FairLimiter<UserId>,
    large_writes: LargeWrites,
}

impl LongWork {
    pub fn new(threads: Arc<LowPriority>, limits: Arc<RateLimits>) -> Self {
        let [exports, bulk_writes] = [LIMITS, LIMITS].map(FairLimiter::new);
        Self { threads, limits, exports, bulk_writes, large_writes: LargeWrites::default() }
    }

    /// Waits until the user may export, without the permit of the read that has authorized it.
    pub async fn begin_export(&self, user: UserId, read: ReadPermit) -> Result<FairPermit<UserId>, Problem> {
        read.release();
        let begun = self.exports.acquire(user).await;
        begun.map_err(|Busy| busy("Other exports are being written at the moment. Try again soon."))
    }

    /// Waits until the user may import or copy.
    pub async fn begin_bulk_write(&self, user: UserId) -> Result<FairPermit<UserId>, Problem> {
        let begun = self.bulk_writes.acquire(user).await;
        begun.map_err(|Busy| busy("Other imports and copies are running at the moment. Try again soon."))
    }

    /// Waits until the user may change about so many rows in a transaction for which bids wait: before it
    /// begins. The turn lasts until the commit. None for few rows.
    pub async fn begin_large_write(&self, user: UserId, rows: usize) -> Result<Option<LargeWrite>, Problem> {
        let begun = self.large_writes.begin(user, rows).await;
        begun.map_err(|Busy| busy("Others are changing much at the moment. Try again soon."))
    }

    /// Counts rows and their bytes as writes of the user, beyond the one of the request.
    pub fn charge(&self, user: UserId, rows: usize, bytes: usize) -> Result<(), TooMany> {
        let of_rows = rows as u64 / ROWS_OF_A_WRITE;
        let writes = of_rows.max((bytes / BYTES_OF_A_WRITE) as u64);
        self.limits.writes(user, i64::try_from(writes).unwrap_or(i64::MAX))
    }

    /// Counts each PIN that is hashed for the user as a write.
    pub fn charge_hashes(&self, user: UserId, count: usize) -> Result<(), TooMany> {
        self.limits.writes(user, i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Before a picture is loaded for the client.
    pub fn check_pictures(&self, client: Client) -> Result<(), TooMany> {
        self.limits.check_pictures(client)
    }

    /// Counts a loaded picture for the client.
    pub fn loaded_picture(&self, client: Client, bytes: usize) {
        self.limits.loaded_picture(client, bytes);
    }

    /// The threads of low priority.
    pub fn threads(&self) -> Arc<LowPriority> {
        Arc::clone(&self.threads)
    }

    /// Runs work on the threads of low priority. It ends with the future.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Problem> {
        self.threads.run(CurrentRequest::inherit(work)).await.map_err(ended)
    }

    /// Runs work that keeps its thread busy, on a thread of low priority.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.threads.run_blocking(work).await.map_err(ended)
    }
}

fn busy(detail: &str) -> Problem {
    Problem::new(codes::OVERLOADED, detail).retry_after(5)
}

fn ended(unfinished: Unfinished) -> Problem {
    tracing::error!(error = %unfinished, "long work has not ended");
    Problem::plain(codes::OVERLOADED).retry_after(2)
}
