//! Names of people.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::store::ERASED_NAME;
use platform::single_line::{NotSingleLine, SingleLine};
use platform::text::{folded, is_visible, mixes_scripts};

/// A single line of 1–100 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(SingleLine);

/// Why a text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoName {
    #[error(transparent)]
    Line(#[from] NotSingleLine),
    #[error("must have 1 to 100 characters")]
    Length,
    #[error("must not mix alphabets within a word")]
    MixesScripts,
    #[error("must not be the name of deleted accounts")]
    Reserved,
}

impl PersonName {
    pub const CHARS: RangeInclusive<usize> = 1..=100;

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for PersonName {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let line: SingleLine = text.parse()?;
        if !Self::CHARS.contains(&line.chars()) {
            return Err(NoName::Length);
        }
        if reads_as(line.as_str(), ERASED_NAME) {
            return Err(NoName::Reserved);
        }
        if mixes_scripts(line.as_str()) {
            return Err(NoName::MixesScripts);
        }
        Ok(Self(line))
    }
}

/// Whether the text looks like `name`, in any case, with any blanks between its words and invisible
/// characters anywhere.
fn reads_as(text: &str, name: &str) -> bool {
    let shown: String = text.chars().filter(|letter| letter.is_whitespace() || is_visible(*letter)).collect();
    let words: Vec<_> = shown.split_whitespace().collect();
    folded(&words.join(" ")) == name
}

#[cfg(test)]
mod tests {
    use platform::single_line::NotSingleLine;

    use super::{NoName, PersonName};

    #[test]
    fn a_name_is_what_can_be_shown() {
        assert_eq!("  Ada Lovelace ".parse::<PersonName>().unwrap().as_str(), "Ada Lovelace");
        assert!("é".repeat(100).parse::<PersonName>().is_ok());
        for text in ["a\nb", "a\u{0}", "\u{202e}gnp.exe", "\u{200b}"] {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::Line(NotSingleLine::Control)), "{text:?}");
        }
        assert_eq!("\u{3164}".parse::<PersonName>(), Err(NoName::Line(NotSingleLine::Invisible)));
        for text in ["", "  ", &"é".repeat(101)] {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::Length), "{text:?}");
        }
    }

    #[test]
    fn a_word_has_letters_that_do_not_look_like_those_of_another_script() {
        for text in ["d\u{435}leted user", "\u{391}da", "Ad\u{430} Lovelace"] {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::MixesScripts), "{text:?}");
        }
        for text in [
            "Ада Lovelace",
            "Άδα",
            "山田T子",
            "Tシャツ屋",
            "Ada-Ада",
            "김Ada",
            "ᏣᎳᎩ",
            "Zoë 🎨 O’Neil",
            "می\u{200c}خواهم",
        ] {
            assert!(text.parse::<PersonName>().is_ok(), "{text:?}");
        }
    }

    #[test]
    fn nobody_has_the_name_of_deleted_accounts() {
        for text in
            ["deleted user", " Deleted  USER", "deleted\u{3164} user", "deleted\u{a0}user", "ｄeleted user"]
        {
            assert_eq!(text.parse::<PersonName>(), Err(NoName::Reserved), "{text:?}");
        }
        assert!("Deleted User 2".parse::<PersonName>().is_ok());
    }
}
