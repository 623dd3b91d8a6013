//! The pace at which one address gets files. Sending a file costs little, but clients that ask for the
//! largest one again as soon as they have it would take all processor time that the machine has.

use std::sync::Arc;
use std::time::Duration;

use crate::codes;
use platform::http::problem::Problem;
use platform::limits::{Bucket, RefillRate};
use platform::net::ClientAddress;
use platform::time::Clock;

/// Bytes of one token.
const TOKEN_BYTES: usize = 64 * 1024;
/// 50 MB at once, as for a hall of bidders who open their first page, then 64 MB a second.
const RATE: RefillRate = RefillRate { burst: 800, millis_each: 1 };
/// How long an answer may wait, and how often it tries.
const WAIT_MAX: Duration = Duration::from_secs(10);
const TRY_EVERY: Duration = Duration::from_millis(50);

/// Token buckets by address, or none if limits are switched off.
pub struct FilePace {
    clock: Arc<dyn Clock>,
    addresses: Option<Bucket<ClientAddress>>,
}

impl FilePace {
    pub fn new(limited: bool, clock: Arc<dyn Clock>) -> Self {
        Self { clock, addresses: limited.then(|| Bucket::new(RATE)) }
    }

    /// Waits until the address may get this many bytes.
    ///
    /// # Errors
    /// It would take too long.
    pub async fn wait(&self, address: ClientAddress, bytes: usize) -> Result<(), Problem> {
        let Some(addresses) = &self.addresses else { return Ok(()) };
        let tokens = i64::try_from(bytes.div_ceil(TOKEN_BYTES)).unwrap_or(i64::MAX).max(1);
        let admitted = async {
            while addresses.take_many(&address, tokens, self.clock.now()).is_err() {
                tokio::time::sleep(TRY_EVERY).await;
            }
        };
        tokio::time::timeout(WAIT_MAX, admitted).await.map_err(|_| {
            Problem::new(codes::TOO_MANY_REQUESTS, "Too many files are being loaded from this address.")
                .retry_after(5)
        })
    }
}
