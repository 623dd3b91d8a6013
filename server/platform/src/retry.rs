//! Retries while a lock is held. A killed process keeps its file locks until the kernel has reaped its last
//! thread.

use std::time::Duration;

use tokio::time::{Instant, sleep};

const RETRY_FOR: Duration = Duration::from_secs(5);
const RETRY_EVERY: Duration = Duration::from_millis(20);

/// Repeats `attempt` until its result is not `is_held`, for at most five seconds, and returns the last
/// result.
pub async fn retry_until_released<T>(attempt: impl FnMut() -> T, is_held: impl Fn(&T) -> bool) -> T {
    retry(RETRY_FOR, attempt, is_held).await
}

async fn retry<T>(limit: Duration, mut attempt: impl FnMut() -> T, is_held: impl Fn(&T) -> bool) -> T {
    let start = Instant::now();
    loop {
        let result = attempt();
        if !is_held(&result) || start.elapsed() > limit {
            return result;
        }
        sleep(RETRY_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn retries_until_the_lock_is_released_but_not_forever() {
        const LIMIT: Duration = Duration::from_millis(1);
        let mut attempts = 0..;
        assert_eq!(retry_until_released(|| attempts.next(), |seen| *seen < Some(2)).await, Some(2));
        let mut attempts = 0..;
        let last = retry(LIMIT, || attempts.next(), |_| true).await;
        assert!(last > Some(0), "has tried again");
    }
}
