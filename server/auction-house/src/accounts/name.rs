//! Names of people.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::store::ERASED_NAME;

/// 1–100 characters, trimmed, without control characters or those that turn the direction of what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(String);

/// Why a text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoName {
    #[error("must be 1 to 100 characters, none of them a control character")]
    Form,
    #[error("must not be the name of deleted accounts")]
    Reserved,
}

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
        let shown = text.chars().any(|letter| !is_invisible(letter));
        if !shown || text.chars().count() > *Self::CHARS.end() || text.chars().any(odd) {
            return Err(NoName::Form);
        }
        if reads_as(text, ERASED_NAME) {
            return Err(NoName::Reserved);
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether the text looks like `name`, in any case, with any blanks between its words and invisible characters anywhere.
fn reads_as(text: &str, name: &str) -> bool {
    let visible: String = text.chars().filter(|letter| !is_invisible(*letter)).collect();
    let words: Vec<_> = visible.split_whitespace().collect();
    words.join(" ").to_lowercase() == name
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{NoName, PersonName};

    #[test]
    fn a_name_is_what_can_be_shown() {
        assert_eq!("  Ada Lovelace ".parse::<PersonName>().unwrap().as_str(), "Ada Lovelace");
        assert!("é".repeat(100).parse::<PersonName>().is_ok());
        for text in ["", "  ", "\u{200b}", "a\nb", "a\u{0}", "\u{202e}gnp.exe", &"é".repeat(101)] {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::Form), "{text:?}");
        }
    }

    #[test]
    fn nobody_has_the_name_of_deleted_accounts() {
        for text in ["deleted user", " Deleted  USER", "deleted\u{200b} user", "deleted\u{a0}user"] {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::Reserved), "{text:?}");
        }
        assert!("Deleted User 2".parse::<PersonName>().is_ok());
    }
}
