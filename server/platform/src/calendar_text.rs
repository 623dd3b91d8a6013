//! Calendars that other programs read (RFC 5545).

use crate::time::Moment;

/// Bytes of a line, without its end.
const LINE_BYTES: usize = 75;

/// What happens at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEvent {
    /// The same in each version of the calendar, and in no other one.
    pub id: String,
    pub at: Moment,
    pub summary: String,
    pub description: String,
    pub url: String,
}

/// The text of a calendar, as it is at `now`.
pub fn calendar(name: &str, events: impl IntoIterator<Item = CalendarEvent>, now: Moment) -> String {
    let mut text = String::new();
    write_line(&mut text, "BEGIN", "VCALENDAR");
    write_line(&mut text, "VERSION", "2.0");
    write_line(&mut text, "PRODID", "-//Farthing//Farthing//EN");
    write_line(&mut text, "CALSCALE", "GREGORIAN");
    for property in ["NAME", "X-WR-CALNAME"] {
        write_line(&mut text, property, &escaped(name));
    }
    let now = date_time(now);
    for event in events {
        write_line(&mut text, "BEGIN", "VEVENT");
        write_line(&mut text, "UID", &escaped(&event.id));
        write_line(&mut text, "DTSTAMP", &now);
        write_line(&mut text, "DTSTART", &date_time(event.at));
        // Without an end some programs show an hour, or the whole day.
        write_line(&mut text, "DURATION", "PT0S");
        write_line(&mut text, "SUMMARY", &escaped(&event.summary));
        write_line(&mut text, "DESCRIPTION", &escaped(&event.description));
        write_line(&mut text, "URL", &event.url);
        // Nobody is busy at that moment.
        write_line(&mut text, "TRANSP", "TRANSPARENT");
        write_line(&mut text, "END", "VEVENT");
    }
    write_line(&mut text, "END", "VCALENDAR");
    text
}

/// `20260501T180000Z`
fn date_time(moment: Moment) -> String {
    let seconds = moment.to_string();
    let seconds = seconds.split('.').next().unwrap_or_default();
    format!("{}Z", seconds.replace(['-', ':'], ""))
}

/// The value of a property that is a text (section 3.3.11).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            control if control.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// Appends a property. A long line goes on in the next one, which begins with a space (section 3.1).
fn write_line(text: &mut String, property: &str, value: &str) {
    let mut bytes = 0;
    for character in property.chars().chain([':']).chain(value.chars()) {
        if bytes + character.len_utf8() > LINE_BYTES {
            text.push_str("\r\n ");
            bytes = 1;
        }
        text.push(character);
        bytes += character.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    fn event(summary: &str) -> CalendarEvent {
        CalendarEvent {
            id: "01976f2e".to_owned(),
            at: at("2026-05-01T18:00:00.250+02:00"),
            summary: summary.to_owned(),
            description: "Spring sale".to_owned(),
            url: "https://auctions.example/auctions/1?a=1;b=2,3".to_owned(),
        }
    }

    #[test]
    fn an_event_has_its_moment_in_utc_and_a_link() {
        let text = calendar("Spring sale", [event("A vase")], at("2026-04-01T08:09:10Z"));
        let lines: Vec<_> = text.strip_suffix("\r\n").unwrap().split("\r\n").collect();
        assert_eq!(
            lines,
            [
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:-//Farthing//Farthing//EN",
                "CALSCALE:GREGORIAN",
                "NAME:Spring sale",
                "X-WR-CALNAME:Spring sale",
                "BEGIN:VEVENT",
                "UID:01976f2e",
                "DTSTAMP:20260401T080910Z",
                "DTSTART:20260501T160000Z",
                "DURATION:PT0S",
                "SUMMARY:A vase",
                "DESCRIPTION:Spring sale",
                "URL:https://auctions.example/auctions/1?a=1;b=2,3",
                "TRANSP:TRANSPARENT",
                "END:VEVENT",
                "END:VCALENDAR",
            ]
        );
    }

    #[test]
    fn a_text_is_escaped_and_ends_no_line() {
        let text = calendar("a;b", [event("C:\\x, y;\nEND:VEVENT\r\u{7}")], at("2026-04-01T08:00:00Z"));
        assert!(text.contains("\r\nX-WR-CALNAME:a\\;b\r\n"), "{text}");
        assert!(text.contains("\r\nSUMMARY:C:\\\\x\\, y\\;\\nEND:VEVENT\r\nDESCRIPTION"), "{text}");
    }

    #[test]
    fn a_long_line_is_folded_between_characters_and_reads_back() {
        for length in 60..90 {
            let summary = format!("{}{}", "x".repeat(length), "ä花🏺".repeat(40));
            let text = calendar("n", [event(&summary)], at("2026-04-01T08:00:00Z"));
            for line in text.split("\r\n") {
                assert!(line.len() <= LINE_BYTES, "{line}");
            }
            assert!(text.replace("\r\n ", "").contains(&format!("\r\nSUMMARY:{summary}\r\n")));
        }
    }
}
