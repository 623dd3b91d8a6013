//! Values of cells as the texts that a table has.

use jiff::civil::{Date, DateTime, Time, date};
use jiff::{SignedDuration, ToSpan};

use super::number_format::NumberFormat;

const SECONDS_OF_DAY: f64 = 86_400.0;
/// Digits of a number that a spreadsheet keeps.
const DIGITS: usize = 15;
/// The last day of a spreadsheet, 9999-12-31.
const DAYS_MAX: f64 = 2_958_466.0;

pub(super) const YES: &str = "yes";
pub(super) const NO: &str = "no";

/// The number of a cell in digits: the shortest decimal of the same value, at most 15 digits. None if it is
/// no number.
///
/// Exactly three digits after the point get a zero, so that the point is not taken for one between
/// thousands.
pub(crate) fn number(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let scientific = format!("{value:.*e}", DIGITS - 1);
    let (mantissa, exponent) = scientific.split_once('e')?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let exponent: i32 = exponent.parse().ok()?;
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    // Places before the point.
    let places = exponent + 1;
    let (whole, fraction) = match usize::try_from(places) {
        Ok(places) if places >= digits.len() => (format!("{digits:0<places$}"), String::new()),
        Ok(places) if places > 0 => {
            let (whole, fraction) = digits.split_at(places);
            (whole.to_owned(), fraction.to_owned())
        }
        _ => ("0".to_owned(), format!("{}{digits}", "0".repeat(places.unsigned_abs() as usize))),
    };
    Some(match fraction.len() {
        0 => format!("{sign}{whole}"),
        3 => format!("{sign}{whole}.{fraction}0"),
        _ => format!("{sign}{whole}.{fraction}"),
    })
}

/// The number of an `.xlsx` cell as its format shows it.
pub(super) fn formatted(value: f64, format: NumberFormat, is_1904: bool) -> Option<String> {
    match format {
        NumberFormat::Number => number(value),
        NumberFormat::Percent => percent(value),
        NumberFormat::Elapsed => elapsed(value),
        NumberFormat::Moment { has_date, has_time } => moment(value, (has_date, has_time), is_1904),
    }
}

/// A share as the percentage that a cell shows.
pub(super) fn percent(value: f64) -> Option<String> {
    number(value * 100.0)
}

/// A time in days as hours and minutes.
fn elapsed(days: f64) -> Option<String> {
    // Further days are no duration.
    let seconds = (0.0..DAYS_MAX).contains(&days).then(|| whole(days * SECONDS_OF_DAY))?;
    let minutes = seconds / 60;
    Some(format!("{:02}:{:02}", minutes / 60, minutes % 60))
}

/// Days since the first one of the spreadsheet as date and time. The time is left out where the value is a
/// whole day and the format shows none; the date, where there is none.
fn moment(days: f64, (has_date, has_time): (bool, bool), is_1904: bool) -> Option<String> {
    if !(0.0..DAYS_MAX).contains(&days) {
        return number(days);
    }
    // 0.999999999 is the next midnight.
    let seconds = whole(days * SECONDS_OF_DAY);
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    if day == 0 && !(is_1904 && has_date) {
        return Some(time_of(second));
    }
    let first = match is_1904 {
        true => date(1904, 1, 1),
        // The 29th of February 1900 has a number in spreadsheets, and never was.
        false if day < 61 => date(1899, 12, 31),
        false => date(1899, 12, 30),
    };
    let date = first.checked_add(day.days()).ok()?;
    let has_time = second != 0 || (has_time && has_date);
    Some(if has_time { format!("{date} {}", time_of(second)) } else { date.to_string() })
}

fn time_of(second: i64) -> String {
    format!("{:02}:{:02}", second / 3600, second % 3600 / 60)
}

#[expect(clippy::cast_possible_truncation, reason = "what is rounded is within the days of a spreadsheet")]
fn whole(value: f64) -> i64 {
    value.round() as i64
}

/// A date, a time or both in ISO 8601, as `.ods` files and some `.xlsx` files have them. What is neither
/// stays as it is.
pub(super) fn iso(text: &str) -> String {
    let local = text.trim().trim_end_matches('Z');
    let minutes = |time: Time| time_of(i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60);
    if let Some(duration) = text.trim().strip_prefix('P').and_then(|_| text.trim().parse().ok()) {
        let duration: SignedDuration = duration;
        return elapsed(duration.as_secs_f64() / SECONDS_OF_DAY).unwrap_or_else(|| text.to_owned());
    }
    if local.contains('T')
        && let Ok(moment) = local.parse::<DateTime>()
    {
        return format!("{} {}", moment.date(), minutes(moment.time()));
    }
    if let Ok(date) = local.parse::<Date>() {
        return date.to_string();
    }
    local.parse::<Time>().map_or_else(|_| text.to_owned(), minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_shortest_decimal_of_its_value() {
        let numbers = [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (0.1 + 0.2, "0.3"),
            (3.1, "3.1"),
            (-2.5, "-2.5"),
            (1.005, "1.0050"),
            (1234.567, "1234.5670"),
            (0.0001, "0.0001"),
            (0.001, "0.0010"),
            (1000.0, "1000"),
            (1e21, "1000000000000000000000"),
            (123_456_789_012_345_680.0, "123456789012346000"),
            (1e-7, "0.0000001"),
            (12_345_678.901_234_5, "12345678.9012345"),
            (999_999_999_999_999.9, "1000000000000000"),
        ];
        for (value, text) in numbers {
            assert_eq!(number(value).as_deref(), Some(text));
        }
        assert_eq!([f64::NAN, f64::INFINITY].map(number), [None, None]);
        assert_eq!(percent(0.07).as_deref(), Some("7"));
        assert_eq!(percent(0.125).as_deref(), Some("12.5"));
        assert_eq!(percent(0.001_25).as_deref(), Some("0.1250"));
    }

    #[test]
    fn a_day_is_a_date_and_its_part_a_time() {
        let text = |value, date, time| {
            let format = NumberFormat::Moment { has_date: date, has_time: time };
            formatted(value, format, false).unwrap()
        };
        assert_eq!(text(46_357.0, true, false), "2026-12-01");
        assert_eq!(text(46_357.0, true, true), "2026-12-01 00:00");
        assert_eq!(text(46_357.75, true, true), "2026-12-01 18:00");
        assert_eq!(text(46_357.75, true, false), "2026-12-01 18:00");
        assert_eq!(text(0.75, false, true), "18:00");
        assert_eq!(text(0.763_888_888_888_889, false, true), "18:20");
        assert_eq!(text(46_357.999_999_999, true, true), "2026-12-02 00:00");
        assert_eq!([text(1.0, true, false), text(59.0, true, false)], ["1900-01-01", "1900-02-28"]);
        assert_eq!(text(61.0, true, false), "1900-03-01");
        assert_eq!(text(-5.5, true, false), "-5.5");
        let date = NumberFormat::Moment { has_date: true, has_time: false };
        assert_eq!(formatted(44_895.0, date, true).unwrap(), "2026-12-01");
        assert_eq!(formatted(26.5 / 24.0, NumberFormat::Elapsed, false).unwrap(), "26:30");
    }

    #[test]
    fn a_date_in_iso_8601_is_read() {
        let texts = [
            ("2026-12-01", "2026-12-01"),
            ("2026-12-01T18:00:00", "2026-12-01 18:00"),
            ("2026-12-01T18:00:00.000Z", "2026-12-01 18:00"),
            ("18:20:00", "18:20"),
            ("PT18H05M00S", "18:05"),
            ("PT26H30M00.5S", "26:30"),
            ("tomorrow", "tomorrow"),
            ("Paris", "Paris"),
        ];
        for (text, read) in texts {
            assert_eq!(iso(text), read);
        }
    }
}
