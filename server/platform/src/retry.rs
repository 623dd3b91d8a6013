//! Patience with those who were killed: until the system has taken the last of their threads away, they hold their
//! locks.

use std::time::Duration;

use tokio::time::{Instant, sleep};

const MAX: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Looks again while `is_held` says of what was seen that somebody is in the way, for at most five seconds, and gives
/// what was seen last.
pub async fn outlast<T>(mut look: impl FnMut() -> T, is_held: impl Fn(&T) -> bool) -> T {
    let begun = Instant::now();
    loop {
        let seen = look();
        if !is_held(&seen) || begun.elapsed() > MAX {
            return seen;
        }
        sleep(LOOK_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_goes_is_waited_for_and_who_stays_is_told() {
        let mut looks = 0..;
        assert_eq!(outlast(|| looks.next(), |seen| *seen < Some(2)).await, Some(2));
        let begun = Instant::now();
        assert_eq!(outlast(|| "stays", |_| true).await, "stays");
        assert!(begun.elapsed() > MAX);
    }
}
