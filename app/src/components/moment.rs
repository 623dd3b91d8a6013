//! Moments and durations as text. Moments are milliseconds since 1970 in UTC.

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// From here on the countdown is highlighted.
pub const MINUTE_TO_GO: i64 = MINUTE;

/// A moment in the viewer's time zone: `21 Nov 2026, 11:00`. While the server does not know the browser's
/// zone, the text is in UTC and says so.
#[cfg(feature = "ssr")]
pub fn date_and_time(moment: i64) -> String {
    let zone: std::sync::Arc<crate::request::ViewerZone> = leptos::prelude::expect_context();
    (zone.date_and_time)(moment)
}

/// A moment in the browser's time zone: `21 Nov 2026, 11:00`.
#[cfg(not(feature = "ssr"))]
pub fn date_and_time(moment: i64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let local = crate::live::browser::date(moment);
    let month = MONTHS.get(local.get_month() as usize).copied().unwrap_or_default();
    let (day, year, hour, minute) =
        (local.get_date(), local.get_full_year(), local.get_hours(), local.get_minutes());
    format!("{day} {month} {year}, {hour:02}:{minute:02}")
}

/// RFC 3339, to the second, for the `datetime` attribute.
pub fn stamp(moment: i64) -> String {
    let (year, month, day) = date(moment);
    let seconds = moment.rem_euclid(DAY) / SECOND;
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Parses RFC 3339.
pub fn read_stamp(stamp: &str) -> Option<i64> {
    let number = |from: usize, to: usize| stamp.get(from..to)?.parse::<i64>().ok();
    let days = days_to(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let mut moment =
        days * DAY + number(11, 13)? * HOUR + number(14, 16)? * MINUTE + number(17, 19)? * SECOND;
    let mut rest = stamp.get(19..)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = fraction.chars().take_while(char::is_ascii_digit).count();
        let (digits, after) = fraction.split_at(digits);
        let thousandths: String = digits.chars().chain("000".chars()).take(3).collect();
        moment += thousandths.parse::<i64>().ok()?;
        rest = after;
    }
    if rest.eq_ignore_ascii_case("z") {
        return Some(moment);
    }
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    let offset = rest.get(1..3)?.parse::<i64>().ok()? * HOUR + rest.get(4..6)?.parse::<i64>().ok()? * MINUTE;
    Some(moment - sign * offset)
}

/// A remaining duration in its two largest units: `2 d 4 h`, `3 h`, `12 min`, `48 s`, with seconds below ten
/// minutes. `None` once it has passed.
pub fn time_left(milliseconds: i64) -> Option<String> {
    // Rounded up to whole seconds.
    let left = (milliseconds > 0).then_some((milliseconds + SECOND - 1) / SECOND * SECOND)?;
    let (days, hours, minutes, seconds) =
        (left / DAY, left % DAY / HOUR, left % HOUR / MINUTE, left % MINUTE / SECOND);
    Some(match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, 1..10) => format!("{minutes} min {seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, 0) => format!("{hours} h"),
        (0, _, _) => format!("{hours} h {minutes} min"),
        (_, 0, _) => format!("{days} d"),
        _ => format!("{days} d {hours} h"),
    })
}

/// Since when [`time_left`] has written the time until this end as it does now.
#[cfg(feature = "ssr")]
pub fn time_left_since(end: i64, now: i64) -> i64 {
    let seconds = ((end - now).max(0) + SECOND - 1) / SECOND;
    let longest = match seconds {
        ..600 => seconds,
        600..86_400 => seconds / 60 * 60 + 59,
        86_400.. => seconds / 3_600 * 3_600 + 3_599,
    };
    end - longest * SECOND
}

/// Since when [`ago`] has written the time since this moment as it does now. A moment to come is returned.
#[cfg(feature = "ssr")]
pub fn ago_since(moment: i64, now: i64) -> i64 {
    let past = now - moment;
    let unit = match past {
        ..MINUTE => return moment,
        MINUTE..HOUR => MINUTE,
        HOUR..DAY => HOUR,
        DAY.. => DAY,
    };
    moment + past / unit * unit
}

/// A past duration: `just now`, `3 min ago`, `2 d ago`.
pub fn ago(milliseconds: i64) -> String {
    match milliseconds {
        ..MINUTE => "just now".to_owned(),
        MINUTE..HOUR => format!("{} min ago", milliseconds / MINUTE),
        HOUR..DAY => format!("{} h ago", milliseconds / HOUR),
        DAY.. => format!("{} d ago", milliseconds / DAY),
    }
}

/// Year, month and day of the proleptic Gregorian calendar. Counts in eras of 400 years that begin in March,
/// so that the leap day is the last day of its year.
fn date(moment: i64) -> (i64, i64, i64) {
    let days = moment.div_euclid(DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// Days from 1970 to that date. The inverse of [`date`].
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_stamps() {
        assert_eq!(stamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(stamp(1_709_210_096_000), "2024-02-29T12:34:56Z");
        assert_eq!(stamp(-1), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn stamps_are_read_as_they_are_written() {
        for moment in (-4_000_000_000_000..8_000_000_000_000).step_by(86_399_000 * 11) {
            assert_eq!(read_stamp(&stamp(moment)), Some(moment), "{}", stamp(moment));
        }
    }

    #[test]
    fn stamps_may_have_fractions_and_offsets() {
        assert_eq!(read_stamp("1970-01-01T00:00:01.25Z"), Some(1_250));
        assert_eq!(read_stamp("1970-01-01T02:00:00.123456789+01:30"), Some(1_800_123));
        assert_eq!(read_stamp("yesterday"), None);
        assert_eq!(read_stamp("1970-01-01T00:00:00"), None);
    }

    #[test]
    fn time_left_is_precise_near_the_end() {
        let left = |seconds: i64| time_left(seconds * SECOND);
        assert_eq!(left(2 * 86_400 + 4 * 3_600 + 59).as_deref(), Some("2 d 4 h"));
        assert_eq!(left(3_600 * 3 + 60 * 5 + 9).as_deref(), Some("3 h 5 min"));
        assert_eq!(left(2 * 86_400 + 59 * 60).as_deref(), Some("2 d"));
        assert_eq!(left(3_600 + 59).as_deref(), Some("1 h"));
        assert_eq!(left(12 * 60 + 30).as_deref(), Some("12 min"));
        assert_eq!(left(9 * 60 + 5).as_deref(), Some("9 min 5 s"));
        assert_eq!(left(90).as_deref(), Some("1 min 30 s"));
        assert_eq!(left(48).as_deref(), Some("48 s"));
        assert_eq!(time_left(1).as_deref(), Some("1 s"));
        assert_eq!(time_left(0), None);
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn words_are_the_same_since_a_moment_and_not_before() {
        let is_near = |end: i64, now: i64| (1..=MINUTE_TO_GO).contains(&(end - now));
        for left in (-2 * MINUTE..3 * DAY).step_by(997) {
            let (end, now) = (7, 7 - left);
            let since = time_left_since(end, now);
            assert!(since <= now, "{left}");
            assert_eq!(time_left(end - since), time_left(left), "{left}");
            assert_eq!(is_near(end, since), is_near(end, now), "{left}");
            assert_ne!(time_left(end - since + 1), time_left(left), "{left}");
        }
        for past in (0..3 * DAY).step_by(997) {
            let since = ago_since(7, 7 + past);
            assert!(since <= 7 + past, "{past}");
            assert_eq!(ago(since - 7), ago(past), "{past}");
            assert!(since == 7 || ago(since - 1 - 7) != ago(past), "{past}");
        }
        assert_eq!(ago_since(7, 5), 7);
    }

    #[test]
    fn the_past_is_rounded_down() {
        assert_eq!(ago(-5), "just now");
        assert_eq!(ago(59 * SECOND), "just now");
        assert_eq!(ago(61 * SECOND), "1 min ago");
        assert_eq!(ago(25 * HOUR), "1 d ago");
    }
}
