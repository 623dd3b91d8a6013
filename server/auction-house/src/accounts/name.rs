//! Names of people.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// 1–100 characters, trimmed, without control characters or those that turn the direction of what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(String);

/// The text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 100 characters, none of them a control character")]
pub struct NoName;

impl PersonName {
    pub const CHARS: RangeInclusive<usize> = 1..=100;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PersonName {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let text = text.trim();
        let turns = |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let odd = |letter: char| letter.is_control() || turns(letter);
        let shown =
            text.chars().any(|letter| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'));
        if !shown || text.chars().count() > *Self::CHARS.end() || text.chars().any(odd) {
            return Err(NoName);
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::PersonName;

    #[test]
    fn a_name_is_what_can_be_shown() {
        assert_eq!("  Ada Lovelace ".parse::<PersonName>().unwrap().as_str(), "Ada Lovelace");
        assert!("é".repeat(100).parse::<PersonName>().is_ok());
        for text in ["", "  ", "\u{200b}", "a\nb", "a\u{0}", "\u{202e}gnp.exe", &"é".repeat(101)] {
            assert!(text.parse::<PersonName>().is_err(), "{text:?}");
        }
    }
}
