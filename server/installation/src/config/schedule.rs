//! The setting `backup-schedule`.

use std::str::FromStr;

use platform::time::Moment;
use serde::Deserialize;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A time of each day: `daily HH:MM`, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Schedule {
    minutes: i64,
}

/// The text is not such a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a schedule: write `daily HH:MM`, in UTC, such as `daily 03:15`")]
pub struct NoSchedule(String);

impl Schedule {
    /// The last time of the schedule until `now`.
    pub fn last(self, now: Moment) -> Moment {
        let today = now.day().plus_seconds(self.minutes * 60);
        if today <= now { today } else { today.plus_seconds(-DAY_SECONDS) }
    }

    /// The next time of the schedule after `now`.
    pub fn next(self, now: Moment) -> Moment {
        self.last(now).plus_seconds(DAY_SECONDS)
    }
}

impl FromStr for Schedule {
    type Err = NoSchedule;

    fn from_str(text: &str) -> Result<Self, NoSchedule> {
        let read = || {
            let (hours, minutes) = text.strip_prefix("daily ")?.trim().split_once(':')?;
            let number = |digits: &str, max| {
                let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse::<i64>().ok().filter(|number| is_number && *number <= max)
            };
            Some(Self { minutes: number(hours, 23)? * 60 + number(minutes, 59)? })
        };
        read().ok_or_else(|| NoSchedule(text.to_owned()))
    }
}

impl TryFrom<String> for Schedule {
    type Error = NoSchedule;

    fn try_from(text: String) -> Result<Self, NoSchedule> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_a_time_of_each_day() {
        let at = |text: &str| text.parse::<Moment>().unwrap();
        let schedule: Schedule = "daily 03:15".parse().unwrap();
        for (now, last, next) in [
            ("2026-05-02T03:14:59Z", "2026-05-01T03:15:00Z", "2026-05-02T03:15:00Z"),
            ("2026-05-02T03:15:00Z", "2026-05-02T03:15:00Z", "2026-05-03T03:15:00Z"),
            ("2026-12-31T23:59:59Z", "2026-12-31T03:15:00Z", "2027-01-01T03:15:00Z"),
        ] {
            assert_eq!((schedule.last(at(now)), schedule.next(at(now))), (at(last), at(next)), "{now}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_an_example() {
        for text in
            ["", "03:15", "daily", "daily 3:15", "daily 24:00", "daily 03:60", "daily +3:15", "hourly"]
        {
            let said = text.parse::<Schedule>().unwrap_err().to_string();
            assert!(said.contains("`daily 03:15`"), "{said}");
        }
    }
}
