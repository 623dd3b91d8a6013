//! Time. All code reads it from a [`Clock`] parameter, so that tests can set it; `clippy.toml` forbids other
//! ways.

mod steady;

use std::sync::atomic::{AtomicI64, Ordering};

pub use steady::SteadyClock;
pub(crate) use steady::{Steadied, report, since_start};

/// A point in time: milliseconds since 1970 in UTC, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// The beginning of the year 0000.
    const MIN: Self = Self(-62_167_219_200_000);

    /// The end of the year 9999.
    pub const MAX: Self = Self(253_402_300_799_999);

    /// `None` outside the years 0000 to 9999, the range of RFC 3339.
    pub fn from_millis(millis: i64) -> Option<Self> {
        (Self::MIN.0..=jiff::Timestamp::MAX.as_millisecond()).contains(&millis).then_some(Self(millis))
    }

    /// The beginning of its day, in UTC.
    #[must_use]
    pub fn day(self) -> Self {
        const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
        Self(self.0 - self.0.rem_euclid(DAY_MILLIS))
    }

    pub fn millis(self) -> i64 {
        self.0
    }

    pub(crate) fn timestamp(self) -> jiff::Timestamp {
        // The constructor has checked the range.
        jiff::Timestamp::from_millisecond(self.0).unwrap_or_default()
    }

    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
}

/// RFC 3339 in UTC with milliseconds.
impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let timestamp = jiff::Timestamp::from_millisecond(self.0).map_err(|_| std::fmt::Error)?;
        write!(f, "{timestamp:.3}")
    }
}

/// RFC 3339, as displayed.
impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// RFC 3339 with any offset, truncated to milliseconds.
impl std::str::FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        let timestamp: jiff::Timestamp = text.parse().map_err(|_| NotAMoment)?;
        Self::from_millis(timestamp.as_millisecond()).ok_or(NotAMoment)
    }
}

/// The text is not an RFC 3339 timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an RFC 3339 timestamp such as 2026-05-01T18:00:00Z")]
pub struct NotAMoment;

/// A source of the current time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Moment;
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the machine's clock")]
    fn now(&self) -> Moment {
        Moment(jiff::Timestamp::now().as_millisecond())
    }
}

/// A clock that is set by hand, for tests and the demo.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn at(moment: Moment) -> Self {
        Self(AtomicI64::new(moment.0))
    }

    pub fn set(&self, moment: Moment) {
        self.0.store(moment.0, Ordering::SeqCst);
    }

    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::SeqCst))
    }
}
