//! Numbers of the lots of a catalogue, and their natural order (section 3).

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

/// Characters of a number, at most.
const MAX_CHARS: usize = 12;
/// How long a run of digits is, as a character. All of them sort before letters.
const LENGTHS: [char; MAX_CHARS + 1] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<'];

/// Number of a lot: 1–12 letters, digits and hyphens that begin and end with a letter or a digit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LotNumber(String);

/// The text is no lot number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoLotNumber;

impl fmt::Display for NoLotNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be 1 to 12 letters, digits and hyphens that begin and end with a letter or a digit")
    }
}

impl core::error::Error for NoLotNumber {}

impl LotNumber {
    /// The greatest number without letters.
    pub const MAX_INTEGER: i64 = 999_999_999_999;

    /// The text as it was entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of a number that consists of digits without leading zeros.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        let is_plain = !self.0.starts_with('0') && self.0.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| self.0.parse().ok()).flatten()
    }

    /// A text that has the natural order of numbers where texts are compared by their bytes:
    /// `2` < `12` < `12A` < `13` < `KM-2` < `KM-10`. Numbers that differ in case only have the same key.
    ///
    /// Each run of digits follows its length, without its leading zeros. Their counts come last.
    #[must_use]
    pub fn sort_key(&self) -> String {
        let (mut key, mut zeros) = (String::new(), String::new());
        for run in self.0.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
            let is_digits = run.first().is_some_and(u8::is_ascii_digit);
            let leading = if is_digits { run.iter().take_while(|byte| **byte == b'0').count() } else { 0 };
            if is_digits {
                key.extend(LENGTHS.get(run.len().saturating_sub(leading)));
                zeros.extend(LENGTHS.get(leading));
            }
            key.extend(run.iter().skip(leading).map(|byte| char::from(byte.to_ascii_lowercase())));
        }
        if zeros.bytes().any(|count| count != b'0') {
            key.push(' ');
            key.push_str(&zeros);
        }
        key
    }
}

impl FromStr for LotNumber {
    type Err = NoLotNumber;

    fn from_str(text: &str) -> Result<Self, NoLotNumber> {
        let is_well_formed = (1..=MAX_CHARS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-');
        if is_well_formed { Ok(Self(text.to_string())) } else { Err(NoLotNumber) }
    }
}

impl fmt::Display for LotNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn number(text: &str) -> LotNumber {
        text.parse().unwrap()
    }

    #[test]
    fn the_order_is_natural() {
        let ordered = [
            "0",
            "1",
            "01",
            "001",
            "1-1",
            "1A",
            "2",
            "9",
            "10",
            "12",
            "12-A",
            "12A",
            "12A2",
            "12A10",
            "12b",
            "13",
            "100",
            "999999999999",
            "A",
            "A1",
            "A01",
            "A2",
            "A10",
            "AB",
            "b",
            "KM-2",
            "KM-10",
            "KM1",
        ];
        let keys: Vec<String> = ordered.map(|text| number(text).sort_key()).to_vec();
        for (pair, texts) in keys.windows(2).zip(ordered.windows(2)) {
            assert!(pair[0] < pair[1], "{texts:?}: {pair:?}");
        }
    }

    #[test]
    fn case_alone_makes_no_other_key() {
        assert_eq!(number("km-2a").sort_key(), number("KM-2A").sort_key());
        assert_ne!(number("km-2a"), number("KM-2A"), "the text stays as it was entered");
    }

    #[test]
    fn only_digits_without_leading_zeros_are_an_integer() {
        let integers = ["1", "999999999999", "0", "01", "1A", "1-1"].map(|text| number(text).integer());
        assert_eq!(integers, [Some(1), Some(LotNumber::MAX_INTEGER), None, None, None, None]);
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", " ", "-", "-1", "1-", "1 2", "1.2", "Ä1", "1234567890123", "1\0", "١"] {
            assert_eq!(text.parse::<LotNumber>(), Err(NoLotNumber), "{text}");
        }
    }
}
