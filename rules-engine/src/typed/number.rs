//! Numbers as people type them, into the fields of pages and into tables. The API and the engine take a
//! decimal point only.

use alloc::{borrow::ToOwned, string::String};

use crate::Normalized;
use crate::money::NumberError;

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

/// Whether a text is a number with more digits before the point than the engine takes.
fn is_too_large(text: &str) -> bool {
    typed_number(text, true).parse::<Normalized>() == Err(NumberError::OutOfRange)
}

/// A few words that say which number a field takes instead of the typed text. `precision` is the number of
/// digits after the point.
#[must_use]
pub fn number_note(precision: u8, typed: &str) -> &'static str {
    let has_sign =
        typed.starts_with(|first: char| !is_letter(first) && !is_digit(first) && !MARKS.contains(&first));
    match precision {
        _ if typed.contains(is_letter) => "a number, alone or beside its own name",
        _ if has_sign => "a number, alone or beside its own symbol",
        _ if is_too_large(typed) => "a smaller number, such as 1000",
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

/// The zeros of all scripts, each followed by its nine others: the decimal digits (Nd) of Unicode 18, of
/// which no later version changes any. As distances from the one before they take the fewest bytes in a
/// bundle.
const ZEROS: [u16; 76] = [
    1632, 144, 208, 422, 128, 128, 128, 128, 128, 128, 128, 128, 128, 106, 128, 80, 288, 80, 1872, 48, 310,
    138, 176, 16, 192, 96, 144, 16, 35280, 688, 48, 208, 32, 96, 416, 21280, 1424, 2192, 16, 806, 138, 70,
    154, 288, 352, 128, 384, 112, 16, 10, 86, 432, 112, 672, 96, 256, 80, 64, 368, 16864, 2352, 96, 144, 544,
    24448, 2782, 10, 10, 10, 10, 2378, 432, 512, 257, 863, 4768,
];

/// The decimal digit of ASCII with this value, for one of another script. Once in a bundle.
#[inline(never)]
fn ascii_digit(letter: char) -> Option<char> {
    let mut rest = u32::from(letter);
    ZEROS.iter().find_map(|step| {
        rest = rest.wrapping_sub(u32::from(*step));
        char::from_digit(rest, 10)
    })
}

/// Whether the character is a decimal digit of any script.
#[must_use]
pub fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || ascii_digit(letter).is_some()
}

/// Whether the character is a letter that the compiler knows. Letters of a later version of Unicode are names
/// like others, and only end where a blank or a digit stands.
#[expect(
    clippy::disallowed_methods,
    reason = "decides about the end of a word and the words of a refusal only"
)]
pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphabetic()
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
    use super::{is_number, number_note, typed_number};

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

    #[test]
    fn a_number_with_too_many_digits_is_to_be_smaller() {
        let note = "a smaller number, such as 1000";
        assert_eq!(number_note(2, "1000000000000000000"), note);
        assert_eq!(number_note(0, "1000000000000000000,5"), note);
        for typed in ["100000000000000000", "0.1000000000000000000", "১২৩৪৫৬৭.১২৩"] {
            assert_ne!(number_note(2, typed), note, "{typed}");
        }
    }
}
