//! Times as people and spreadsheets write them into the cells of a table.

use std::str::FromStr;

use crate::time::Moment;
use crate::zone::{LocalTimeError, Zone};
use jiff::civil::{Date, DateTime, Time};

/// Name of the parameter, and of the field of forms, with the order of dates.
pub const DATES: &str = "dates";

/// Which part of a date such as `1/2/2026` stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// A text that is no order of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be DMY or MDY")]
pub struct NoDateOrder;

impl FromStr for DateOrder {
    type Err = NoDateOrder;

    fn from_str(text: &str) -> Result<Self, NoDateOrder> {
        match text.trim().to_ascii_uppercase().as_str() {
            "DMY" => Ok(Self::DayFirst),
            "MDY" => Ok(Self::MonthFirst),
            _ => Err(NoDateOrder),
        }
    }
}

/// What the local times of a table mean.
#[derive(Debug, Clone, Default)]
pub struct LocalTimes {
    pub zone: Zone,
    /// None: a date that may be read both ways is refused.
    pub order: Option<DateOrder>,
}

/// Why a cell is no time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("write a time such as 2026-05-01 18:00, or 1.5.2026 18:00")]
    Invalid,
    #[error("has a date alone: add a time, as in `{0} 18:00`")]
    NoTime(String),
    #[error("has a time alone, and the auction has no end: add a date, as in `2026-05-01 {0}`")]
    NoDate(String),
    #[error("can be {0} or {1}: choose the order of day and month (`dates`), or write it as {0}")]
    EitherOrder(Date, Date),
    #[error(transparent)]
    Local(#[from] LocalTimeError),
}

impl LocalTimes {
    /// The moment that a cell means. A time alone is on the last day of the auction, which ends at `end`.
    pub fn moment(&self, cell: &str, end: Option<Moment>) -> Result<Moment, TimeError> {
        if let Ok(moment) = cell.parse() {
            return Ok(moment);
        }
        let (date, time) = match split(cell) {
            (Some(date), None) => {
                self.date(date)?;
                return Err(TimeError::NoTime(date.to_owned()));
            }
            (Some(date), Some(time)) => (self.date(date)?, time),
            (None, Some(time)) => {
                let end = end.ok_or_else(|| TimeError::NoDate(cell.to_owned()));
                // A text that is no time has no better date.
                let time_alone = clock(time).ok_or(TimeError::Invalid)?;
                let last = self.zone.local(end?);
                let last: DateTime = last.parse().map_err(|_| TimeError::Invalid)?;
                return Ok(self.zone.moment(&last.date().to_datetime(time_alone).to_string())?);
            }
            (None, None) => return Err(TimeError::Invalid),
        };
        let time = clock(time).ok_or(TimeError::Invalid)?;
        Ok(self.zone.moment(&date.to_datetime(time).to_string())?)
    }

    fn date(&self, text: &str) -> Result<Date, TimeError> {
        let mark = text.chars().find(|letter| !letter.is_ascii_digit()).ok_or(TimeError::Invalid)?;
        let parts: Vec<&str> = text.split(mark).collect();
        let [first, second, third] = parts.as_slice() else { return Err(TimeError::Invalid) };
        let number = |part: &str, digits: &[usize]| -> Option<i16> {
            let fits = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| fits)
        };
        let date = |year: &str, month: &str, day: &str| {
            let (month, day) = (number(month, &[1, 2])?, number(day, &[1, 2])?);
            Date::new(number(year, &[4])?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
        };
        let day_first = date(third, second, first);
        let month_first = date(third, first, second);
        let found = match mark {
            '-' | '/' | '.' if first.len() == 4 => date(first, second, third),
            '.' => day_first,
            '/' | '-' => match (self.order, day_first, month_first) {
                (Some(DateOrder::DayFirst), date, _) | (Some(DateOrder::MonthFirst), _, date) => date,
                (None, Some(one), Some(other)) if one != other => {
                    return Err(TimeError::EitherOrder(one, other));
                }
                (None, one, other) => one.or(other),
            },
            _ => None,
        };
        found.ok_or(TimeError::Invalid)
    }
}

/// The date and the time of a cell, as they are written.
fn split(cell: &str) -> (Option<&str>, Option<&str>) {
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, ',' | 'T');
    let is_date = |part: &str| {
        let marks = |mark: char| part.matches(mark).count() == 2;
        part.starts_with(|first: char| first.is_ascii_digit()) && ['-', '/', '.'].into_iter().any(marks)
    };
    let cell = cell.trim();
    let (first, rest) = cell.find(is_between).map_or((cell, ""), |at| cell.split_at(at));
    match is_date(first) {
        true => {
            let time = rest.trim_start_matches(is_between);
            (Some(first), Some(time).filter(|time| !time.is_empty()))
        }
        false => (None, Some(cell)),
    }
}

/// A time of the day: `18:00`, `18:00:30`, `6:00 PM`, `6 pm`.
fn clock(text: &str) -> Option<Time> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, half) = match lower.find(|letter: char| !letter.is_ascii_digit() && letter != ':') {
        Some(at) => lower.split_at(at),
        None => (lower.as_str(), ""),
    };
    let afternoon = match half.replace(|letter: char| letter.is_whitespace() || letter == '.', "").as_str() {
        "" => None,
        "am" => Some(false),
        "pm" => Some(true),
        _ => return None,
    };
    let number = |part: &str, longest: usize| -> Option<i8> {
        let fits = (1..=longest).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| fits)
    };
    let parts: Vec<&str> = digits.split(':').collect();
    let (hour, minute, second) = match (parts.as_slice(), afternoon) {
        ([hour], Some(_)) => (number(hour, 2)?, 0, 0),
        ([hour, minute], _) if minute.len() == 2 => (number(hour, 2)?, number(minute, 2)?, 0),
        ([hour, minute, second], _) if minute.len() == 2 && second.len() == 2 => {
            (number(hour, 2)?, number(minute, 2)?, number(second, 2)?)
        }
        _ => return None,
    };
    let hour = match afternoon {
        None => hour,
        // Twelve at night is 12 AM.
        Some(is_afternoon) if (1..=12).contains(&hour) => hour % 12 + if is_afternoon { 12 } else { 0 },
        Some(_) => return None,
    };
    Time::new(hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, order: Option<DateOrder>) -> Result<String, TimeError> {
        let times = LocalTimes { zone: Zone::named("Europe/Berlin").unwrap(), order };
        let end = "2026-12-05T22:30:00Z".parse().ok();
        times.moment(text, end).map(|moment| moment.to_string())
    }

    #[test]
    fn times_are_local_or_say_their_offset() {
        for text in [
            "2026-05-11 18:00",
            "2026-05-11T18:00:00",
            "2026-05-11T16:00:00Z",
            "2026-05-11T12:00:00-04:00",
            "11.5.2026 18:00",
            "11.05.2026 6:00 PM",
            "2026-05-11 6:00 pm",
            "2026-05-11 6 p.m.",
            "2026/5/11 18:00:00",
            "2026-05-11, 6:00\u{202f}PM",
        ] {
            assert_eq!(read(text, None).as_deref(), Ok("2026-05-11T16:00:00.000Z"), "{text}");
        }
        assert_eq!(read("2026-03-29 02:30", None), Err(LocalTimeError::Skipped.into()));
        assert_eq!(read("1.5.2026 12:05 AM", None).as_deref(), Ok("2026-04-30T22:05:00.000Z"));
    }

    #[test]
    fn day_and_month_that_may_be_exchanged_are_asked_for() {
        let both = read("1/2/2026 6:00 PM", None).unwrap_err();
        assert!(matches!(both, TimeError::EitherOrder(..)), "{both}");
        let (february, january) = (Ok("2026-02-01T17:00:00.000Z"), Ok("2026-01-02T17:00:00.000Z"));
        assert_eq!(read("1/2/2026 6:00 PM", Some(DateOrder::DayFirst)).as_deref(), february);
        assert_eq!(read("1/2/2026 6:00 PM", Some(DateOrder::MonthFirst)).as_deref(), january);
        assert_eq!(read("1.2.2026 18:00", Some(DateOrder::MonthFirst)).as_deref(), february);
        for text in ["11/21/2026 6:00 PM", "21/11/2026 18:00", "21-11-2026 18:00"] {
            assert_eq!(read(text, None).as_deref(), Ok("2026-11-21T17:00:00.000Z"), "{text}");
        }
        assert_eq!(read("3/3/2026 18:00", None).as_deref(), Ok("2026-03-03T17:00:00.000Z"));
        assert_eq!(read("11/21/2026 6:00 PM", Some(DateOrder::DayFirst)), Err(TimeError::Invalid));
    }

    #[test]
    fn a_time_alone_is_on_the_last_day_of_the_auction() {
        for text in ["18:00", "6:00 PM", "6pm"] {
            assert_eq!(read(text, None).as_deref(), Ok("2026-12-05T17:00:00.000Z"), "{text}");
        }
        let times = LocalTimes::default();
        assert_eq!(times.moment("18:00", None), Err(TimeError::NoDate("18:00".to_owned())));
        assert_eq!(times.moment("soon", None), Err(TimeError::Invalid));
    }

    #[test]
    fn what_is_missing_or_wrong_is_said() {
        for text in ["2026-05-01", "1.5.2026", "11/21/2026"] {
            assert_eq!(read(text, None), Err(TimeError::NoTime(text.to_owned())));
        }
        for text in [
            "2026-05-01 25:00",
            "31.2.2026 18:00",
            "1.5.26 18:00",
            "18",
            "13 PM",
            "0:30 AM",
            "2026-05-01 18:0",
            "2026-05-01 18:00 CET",
            "5.1.2026.1 18:00",
            "",
        ] {
            assert_eq!(read(text, None), Err(TimeError::Invalid), "{text}");
        }
    }
}
