//! Numbers as people type them, into the fields of pages and into tables. The API and the engine take a
//! decimal point only.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

/// The typed number as the engine takes it: `12,5` is `12.5`, `.5` is `0.5`, `5.` and `5,-` are `5`, `1 000`
/// and `1’000` are `1000`, and digits of other scripts are digits.
///
/// What may group thousands is never guessed: `1,000`, `1.000,50`, and where numbers have a decimal comma
/// (`has_comma`) also `1.000`. Such a text, and any that is no number, is one that the engine refuses.
#[must_use]
pub fn typed_number(text: &str, has_comma: bool) -> String {
    let text = ungrouped(&plain(text.trim()));
    // `5,-` is a price without cents.
    let dashed = text.strip_suffix(['-', '–', '—']).filter(|rest| rest.ends_with(['.', ',']));
    let text = dashed.map_or(text.as_str(), |rest| rest).to_owned();
    let marks = text.chars().filter(|mark| matches!(mark, '.' | ',')).count();
    let Some((whole, fraction)) = text.split_once(['.', ',']).filter(|_| marks == 1) else {
        return text;
    };
    let (minus, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(digits) || !are_digits(fraction) || (digits.is_empty() && fraction.is_empty()) {
        return text;
    }
    let is_comma = text.contains(',');
    let may_be_thousands = fraction.len() == 3 && (1..=3).contains(&digits.len()) && !digits.starts_with('0');
    if may_be_thousands && (is_comma || has_comma) {
        return format!("{whole},{fraction}");
    }
    let digits = if digits.is_empty() { "0" } else { digits };
    if fraction.is_empty() { format!("{minus}{digits}") } else { format!("{minus}{digits}.{fraction}") }
}

/// Zeros of the scripts whose digits keyboards offer: each is followed by its nine others.
const ZEROS: [char; 8] = ['٠', '۰', '०', '০', '੦', '૦', '๐', '０'];

/// The text with ASCII digits, marks and a minus.
fn plain(text: &str) -> String {
    let digit = |letter: char| {
        let places = ZEROS.into_iter().map(|zero| u32::from(letter).wrapping_sub(u32::from(zero)));
        let place = places.into_iter().find(|place| *place < 10)?;
        char::from_digit(place, 10)
    };
    let ascii = |letter: char| match letter {
        '\u{2212}' => '-',
        '٫' | '．' => '.',
        '，' => ',',
        other => digit(other).unwrap_or(other),
    };
    text.chars().map(ascii).collect()
}

/// The text without the spaces and apostrophes that group its digits by three. Others stay.
fn ungrouped(text: &str) -> String {
    let end = text.find(['.', ',']).unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let groups: Vec<&str> =
        whole.split(|mark: char| mark.is_whitespace() || matches!(mark, '\'' | '’')).collect();
    let are_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped = groups.iter().enumerate().all(|(at, group)| {
        let group = if at == 0 { group.trim_start_matches('-') } else { group };
        are_digits(group) && if at == 0 { group.len() <= 3 } else { group.len() == 3 }
    });
    if groups.len() > 1 && is_grouped { [groups.concat().as_str(), rest].concat() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::typed_number;

    #[test]
    fn numbers_are_read_as_people_mean_them() {
        for (typed, number) in [
            ("12,5", "12.5"),
            (" 19,50 ", "19.50"),
            ("0,125", "0.125"),
            ("1234,567", "1234.567"),
            (".5", "0.5"),
            (",5", "0.5"),
            ("5.", "5"),
            ("5,", "5"),
            ("-1,5", "-1.5"),
            ("\u{2212}5", "-5"),
            ("1 000", "1000"),
            ("1'000", "1000"),
            ("1’000’000.5", "1000000.5"),
            ("5,-", "5"),
            ("5.–", "5"),
            ("1\u{a0}000\u{202f}000,5", "1000000.5"),
            ("١٢٫٥", "12.5"),
            ("१२", "12"),
            ("１２．５", "12.5"),
            ("12.5", "12.5"),
            ("12", "12"),
            ("", ""),
        ] {
            assert_eq!(typed_number(typed, false), number, "{typed}");
            assert_eq!(typed_number(typed, true), number, "{typed}");
        }
        assert_eq!(typed_number("1.000", false), "1.000", "a point is decimal where numbers have one");
    }

    #[test]
    fn what_may_be_a_thousand_is_never_guessed() {
        for typed in ["1.000,50", "1,000.50", "1,000", "12,345", "1,000,000", "1.000.000"] {
            for has_comma in [false, true] {
                let number = typed_number(typed, has_comma);
                assert!(number.parse::<crate::Normalized>().is_err(), "{typed}: {number}");
            }
        }
        for typed in ["1.000", "12.345", "999.999"] {
            let number = typed_number(typed, true);
            assert!(number.parse::<crate::Normalized>().is_err(), "{typed}: {number}");
        }
        for typed in ["0.125", "1234.567", "1.00", "1.0000", "12.5"] {
            assert_eq!(typed_number(typed, true), typed);
        }
    }

    #[test]
    fn what_is_no_number_stays_refused() {
        for typed in [
            ".", ",", "-", "1,5x", "x", "+1", "1e3", "1 00", "10 0000", "1 000 00", "1..5", "£5", "1,,5",
            "5-", "1’00", "1,000,-",
        ] {
            for has_comma in [false, true] {
                let number = typed_number(typed, has_comma);
                assert!(number.parse::<crate::Normalized>().is_err(), "{typed}: {number}");
            }
        }
    }
}
