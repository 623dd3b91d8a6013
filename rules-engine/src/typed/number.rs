//! Numbers as people type them, into the fields of pages and into tables. The API and the engine take a
//! decimal point only.

use alloc::{borrow::ToOwned, string::String};

use crate::Normalized;

/// The typed number as the engine takes it: `12,5` is `12.5`, `.5` is `0.5`, `5.` and `5,-` are `5`, `1 000`
/// and `1’000` are `1000`, and digits of other scripts are digits. Where point and comma both stand, the last
/// one is decimal: `1.000,50` is `1000.50`.
///
/// What may group thousands is never guessed: `1,000,000` in any case, `1.000` and `1,000` unless the
/// currency has three digits or more after the point (`has_thousandths`). Such a text, and any that is no
/// number, is one that the engine refuses.
#[must_use]
pub fn typed_number(text: &str, has_thousandths: bool) -> String {
    let text = plain(text.trim());
    // `5,-` is a price without cents.
    let dashed = text.strip_suffix(['-', '–', '—']).filter(|rest| rest.ends_with(MARKS));
    let text = dashed.map_or(text.as_str(), |rest| rest).to_owned();
    let (whole, fraction) = text.rsplit_once(MARKS).unwrap_or((&text, ""));
    let decimal = text.strip_prefix(whole).and_then(|rest| rest.chars().next());
    let (minus, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let group = digits.chars().find(|letter| !letter.is_ascii_digit());
    let digits = match group {
        None => digits.to_owned(),
        Some(mark @ (' ' | '\'' | '.' | ',')) if group != decimal && are_grouped(digits, mark) => {
            digits.replace(mark, "")
        }
        Some(_) => return text,
    };
    let are_digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits || (digits.is_empty() && fraction.is_empty()) {
        return text;
    }
    let may_be_thousands = fraction.len() == 3 && (1..=3).contains(&digits.len()) && !digits.starts_with('0');
    if may_be_thousands && !has_thousandths {
        return [whole, ",", fraction].concat();
    }
    let digits = if digits.is_empty() { "0" } else { &digits };
    let point = if fraction.is_empty() { "" } else { "." };
    [minus, digits, point, fraction].concat()
}

/// Whether a text is a number that the engine takes.
pub(super) fn is_number(text: &str) -> bool {
    text.parse::<Normalized>().is_ok()
}

/// A few words that say which number a field takes instead of the typed text. `precision` is the number of
/// digits after the point.
#[must_use]
pub fn number_note(precision: u8, typed: &str) -> &'static str {
    let has_sign = typed.starts_with(|first: char| !first.is_alphanumeric() && !MARKS.contains(&first));
    match precision {
        _ if typed.contains(char::is_alphabetic) => "a number, alone or beside its own name",
        _ if has_sign => "a number, alone or beside its own symbol",
        0 if typed.contains(MARKS) => "without a separator for thousands, such as 1000",
        _ if typed.contains(MARKS) => "without a separator for thousands, such as 1000 or 12.5",
        0 => "digits only, such as 12",
        _ => "a number, such as 12.5",
    }
}

const MARKS: [char; 2] = ['.', ','];

/// Whether digits stand in groups of three, of which the first may be shorter.
fn are_grouped(digits: &str, mark: char) -> bool {
    digits.split(mark).enumerate().all(|(at, group)| {
        let least = if at == 0 { 1 } else { 3 };
        (least..=3).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Zeros of the scripts of the basic plane, each followed by its nine others: all decimal digits (Nd) of
/// Unicode 17, of which no later version changes any.
const ZEROS: [u16; 36] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// The same of the supplementary plane, without its number.
const SUPPLEMENTARY_ZEROS: [u16; 40] = [
    0x04a0, 0x0d30, 0x0d40, 0x1066, 0x10f0, 0x1136, 0x11d0, 0x12f0, 0x1450, 0x14d0, 0x1650, 0x16c0, 0x16d0,
    0x16da, 0x1730, 0x18e0, 0x1950, 0x1bf0, 0x1c50, 0x1d50, 0x1da0, 0x1de0, 0x1f50, 0x6130, 0x6a60, 0x6ac0,
    0x6b50, 0x6d70, 0xccf0, 0xd7ce, 0xd7d8, 0xd7e2, 0xd7ec, 0xd7f6, 0xe140, 0xe2f0, 0xe4f0, 0xe5f1, 0xe950,
    0xfbf0,
];

/// The decimal digit of ASCII with this value, for one of another script.
fn ascii_digit(letter: char) -> Option<char> {
    let code = u32::from(letter);
    let zeros: &[u16] = match code >> 16 {
        0 => &ZEROS,
        1 => &SUPPLEMENTARY_ZEROS,
        _ => return None,
    };
    let values = zeros.iter().map(|zero| (code & 0xffff).wrapping_sub(u32::from(*zero)));
    values.into_iter().find_map(|value| char::from_digit(value, 10))
}

/// The text with ASCII digits, marks, blanks and a minus.
fn plain(text: &str) -> String {
    let ascii = |letter: char| match letter {
        '\u{2212}' => '-',
        '٫' | '．' => '.',
        '，' => ',',
        '’' => '\'',
        blank if blank.is_whitespace() => ' ',
        other => ascii_digit(other).unwrap_or(other),
    };
    text.chars().map(ascii).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_number, typed_number};

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
            ("၁၂.၅", "12.5"),
            ("១២,៥", "12.5"),
            ("໑໒", "12"),
            ("௧௨", "12"),
            ("𝟙𝟚", "12"),
            ("１２．５", "12.5"),
            ("12.5", "12.5"),
            ("12", "12"),
            ("", ""),
        ] {
            assert_eq!(typed_number(typed, false), number, "{typed}");
            assert_eq!(typed_number(typed, true), number, "{typed}");
        }
    }

    #[test]
    fn the_last_of_point_and_comma_is_decimal() {
        for (typed, number) in [
            ("1.000,50", "1000.50"),
            ("1,000.50", "1000.50"),
            ("-1.000,5", "-1000.5"),
            ("1.234,567", "1234.567"),
            ("1,234,567.8", "1234567.8"),
            ("1.000,-", "1000"),
        ] {
            assert_eq!(typed_number(typed, false), number, "{typed}");
        }
        for typed in ["1.00,50", "1,0000.5", ".000,5", "1.000,000.5", "1,000.000,5", "1 000.000,5"] {
            assert!(!is_number(&typed_number(typed, false)), "{typed}");
        }
    }

    #[test]
    fn what_may_be_a_thousand_is_never_guessed() {
        for typed in ["1,000,000", "1.000.000", "1.000.000.000"] {
            for has_thousandths in [false, true] {
                assert!(!is_number(&typed_number(typed, has_thousandths)), "{typed}");
            }
        }
        for (typed, number) in [("1.000", "1.000"), ("12,345", "12.345"), ("-999.999", "-999.999")] {
            assert!(!is_number(&typed_number(typed, false)), "{typed}");
            assert_eq!(typed_number(typed, true), number);
        }
        for typed in ["0.125", "1234.567", "1.00", "1.0000", "12.5"] {
            assert_eq!(typed_number(typed, false), typed);
        }
    }

    #[test]
    fn what_is_no_number_stays_refused() {
        for typed in [
            ".", ",", "-", "1,5x", "x", "+1", "1e3", "1 00", "10 0000", "1 000 00", "1..5", "£5", "1,,5",
            "5-", "1’00", "1,000,-", "1 .5",
        ] {
            for has_thousandths in [false, true] {
                let number = typed_number(typed, has_thousandths);
                assert!(!is_number(&number), "{typed}: {number}");
            }
        }
    }
}
