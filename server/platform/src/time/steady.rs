//! A clock that does not follow every jump of the one that it reads. What the clock ends is closed for good,
//! so that a jump counts only once it has lasted (SPEC, section 9).

use std::time::Duration;

use parking_lot::Mutex;
use rustix::time::{ClockId, clock_gettime};

use super::{Clock, Moment, SystemClock};

/// A change beyond this is a jump, in milliseconds.
const JUMP_MILLIS: i64 = 60_000;
/// How long a jump has to last until it counts, in milliseconds.
const CONFIRMED_AFTER_MILLIS: i64 = 60_000;

/// The machine's clock, whose jumps count once they have lasted a minute.
#[derive(Debug)]
pub struct SteadyClock(Mutex<Steadied>);

impl SteadyClock {
    pub fn start() -> Self {
        Self(Mutex::new(Steadied::starting(SystemClock.now().millis(), since_start())))
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> Moment {
        let (read, elapsed) = (SystemClock.now().millis(), since_start());
        let (millis, news) = self.0.lock().at(read, elapsed);
        report(news, "the machine's clock");
        Moment::from_millis(millis).unwrap_or(Moment(read))
    }
}

/// Milliseconds since the machine was started. They grow steadily, also while it sleeps, and nobody sets
/// them.
pub(crate) fn since_start() -> i64 {
    // Other systems count the time of sleep in their monotonic clock, or not at all.
    let clock = if cfg!(target_os = "linux") { ClockId::Boottime } else { ClockId::Monotonic };
    let time = clock_gettime(clock);
    let millis =
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0)).as_millis();
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// Logs what happened to a clock.
pub(crate) fn report(news: Option<News>, clock: &str) {
    match news {
        Some(News::Jumped(millis)) => tracing::error!(
            clock,
            seconds = millis / 1000,
            "a clock has jumped: until it has stayed there for a minute, the time before goes on and closes nothing early"
        ),
        Some(News::Confirmed(millis)) => {
            tracing::error!(
                clock,
                seconds = millis / 1000,
                "the jump of a clock has lasted: it counts from now on"
            );
        }
        Some(News::Returned) => tracing::warn!(clock, "a clock that had jumped is back"),
        None => {}
    }
}

/// What happened to a clock, with the size of its jump in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    Jumped(i64),
    Confirmed(i64),
    Returned,
}

/// The difference between a clock and a steady count, as it is in force.
#[derive(Debug)]
pub(crate) struct Steadied {
    /// What is added to the count.
    offset: i64,
    jump: Option<Jump>,
}

/// A jump that does not count yet.
#[derive(Debug, Clone, Copy)]
struct Jump {
    /// What would be added to the count.
    offset: i64,
    /// The count at that time.
    since: i64,
}

impl Steadied {
    pub(crate) fn starting(read: i64, count: i64) -> Self {
        Self { offset: read - count, jump: None }
    }

    /// The time in force when the clock shows `read` at `count`. Small changes are followed at once.
    pub(crate) fn at(&mut self, read: i64, count: i64) -> (i64, Option<News>) {
        let offset = read - count;
        let differs = |other: i64| (offset - other).abs() > JUMP_MILLIS;
        if !differs(self.offset) {
            let news = self.jump.take().map(|_| News::Returned);
            self.offset = offset;
            return (read, news);
        }
        let size = offset - self.offset;
        match self.jump {
            Some(jump) if !differs(jump.offset) => {
                if count - jump.since < CONFIRMED_AFTER_MILLIS {
                    return (count + self.offset, None);
                }
                (self.offset, self.jump) = (offset, None);
                (read, Some(News::Confirmed(size)))
            }
            _ => {
                self.jump = Some(Jump { offset, since: count });
                (count + self.offset, Some(News::Jumped(size)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn a_clock_that_is_hours_ahead_for_four_seconds_moves_nothing() {
        let mut clock = Steadied::starting(1_000_000, 0);
        assert_eq!(clock.at(1_001_000, 1_000), (1_001_000, None));
        assert_eq!(clock.at(1_002_000 + 5 * HOUR, 2_000), (1_002_000, Some(News::Jumped(5 * HOUR))));
        assert_eq!(clock.at(1_006_000 + 5 * HOUR, 6_000), (1_006_000, None));
        assert_eq!(clock.at(1_006_500, 6_500), (1_006_500, Some(News::Returned)));
        assert_eq!(clock.at(1_200_000, 200_000), (1_200_000, None));
    }

    #[test]
    fn a_jump_that_lasts_a_minute_counts_in_both_directions() {
        for hours in [5, -5] {
            let mut clock = Steadied::starting(100 * HOUR, 0);
            let jump = hours * HOUR;
            assert_eq!(clock.at(100 * HOUR + jump, 0), (100 * HOUR, Some(News::Jumped(jump))));
            assert_eq!(clock.at(100 * HOUR + jump + 59_999, 59_999), (100 * HOUR + 59_999, None));
            let confirmed = 100 * HOUR + jump + 60_000;
            assert_eq!(clock.at(confirmed, 60_000), (confirmed, Some(News::Confirmed(jump))));
            assert_eq!(clock.at(confirmed + 1, 60_001), (confirmed + 1, None));
        }
    }

    #[test]
    fn another_jump_begins_anew_and_a_correction_of_seconds_counts_at_once() {
        let mut clock = Steadied::starting(0, 0);
        assert_eq!(clock.at(30_000, 1_000), (30_000, None));
        assert_eq!(clock.at(HOUR, 2_000).0, 31_000);
        assert_eq!(clock.at(3 * HOUR, 61_000).0, 90_000);
        assert_eq!(
            clock.at(3 * HOUR + 59_000, 120_000).0,
            149_000,
            "the second jump is younger than a minute"
        );
    }
}
