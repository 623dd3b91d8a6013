//! The pace of a sale in a hall.

use std::time::Duration;

use crate::ids::AuctionId;
use crate::items::store::outcomes;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Hammers that the pace is taken from, the newest ones.
const HAMMERS: i64 = 20;
/// Hammers without which there is no pace.
const HAMMERS_MIN: usize = 3;
/// A longer time between two hammers is a pause.
const PAUSE: Duration = Duration::from_secs(10 * 60);

/// How long the sale of an item takes, as far as the newest hammers of the auction say.
pub async fn pace(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<Duration>, DbError> {
    Ok(mean(&outcomes::newest_hammers(conn, auction_id, HAMMERS).await?))
}

/// The mean time from one hammer to the next, without pauses.
fn mean(newest_first: &[Moment]) -> Option<Duration> {
    let between = newest_first.windows(2).filter_map(|pair| match pair {
        [later, earlier] => u64::try_from(later.millis() - earlier.millis()).ok().map(Duration::from_millis),
        _ => None,
    });
    let sales: Vec<Duration> = between.filter(|time| *time <= PAUSE).collect();
    if sales.len() + 1 < HAMMERS_MIN {
        return None;
    }
    Some(sales.iter().sum::<Duration>() / u32::try_from(sales.len()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hammers(seconds: &[i64]) -> Vec<Moment> {
        seconds.iter().map(|seconds| Moment::from_millis(seconds * 1000).unwrap()).collect()
    }

    #[test]
    fn the_pace_is_the_mean_time_between_hammers_without_pauses() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&hammers(&[90, 30])), None, "two hammers");
        assert_eq!(mean(&hammers(&[90, 30, 0])), Some(Duration::from_secs(45)));
        assert_eq!(mean(&hammers(&[3690, 3630, 3600, 0])), Some(Duration::from_secs(45)), "after a pause");
        assert_eq!(mean(&hammers(&[3690, 3630, 0])), None, "one sale since the pause");
        assert_eq!(mean(&hammers(&[1200, 600, 0])), Some(Duration::from_secs(600)));
    }
}
