//! Texts of a single line: names, symbols and other short texts that a page shows beside each other.

use std::fmt;
use std::str::FromStr;

use crate::text::{self, ZERO_WIDTH_JOINER, is_spelled_with_joiner};

/// A trimmed text without control characters, line breaks, or characters that are invisible or change the
/// direction of text (SPEC, section 1). Unless it is empty, something of it is visible.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SingleLine(String);

/// Why a text is not a single line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSingleLine {
    #[error("Remove line breaks, control characters, and characters that hide or turn text.")]
    Control,
    #[error("Enter a text that can be seen.")]
    Invisible,
}

impl SingleLine {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }

    /// Its length in characters.
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }
}

impl fmt::Display for SingleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SingleLine {
    type Err = NotSingleLine;

    fn from_str(text: &str) -> Result<Self, NotSingleLine> {
        let text = text.trim();
        for (at, letter) in text.char_indices() {
            if text::is_control(letter) && !is_part_of(text, at, letter) {
                return Err(NotSingleLine::Control);
            }
        }
        if text.is_empty() || text.chars().any(text::is_visible) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotSingleLine::Invisible)
        }
    }
}

/// Whether the control character at this place of the text is a joiner of emoji, or of the spelling.
fn is_part_of(text: &str, at: usize, joiner: char) -> bool {
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let after = rest.strip_prefix(joiner).unwrap_or_default();
    let emoji_before = before.trim_end_matches(EMOJI_PRESENTATION).chars().next_back();
    let is_emoji = |letter: Option<char>| letter.is_some_and(text::is_emoji);
    let joins_emoji = joiner == ZERO_WIDTH_JOINER && is_emoji(emoji_before) && is_emoji(after.chars().next());
    joins_emoji || is_spelled_with_joiner(before, joiner, after)
}

/// Follows a character that is an emoji in one form and plain in another.
const EMOJI_PRESENTATION: char = '\u{fe0f}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_trimmed_and_shows_all_that_it_has() {
        for text in [
            "Crown",
            "½ Sickle",
            "e\u{301}tude",
            "كنز",
            "Galeón 🦉",
            "👩\u{200d}👩\u{200d}👧\u{200d}👦",
            "🏴\u{200d}☠\u{fe0f}",
            "👩🏽\u{200d}🚀 and ❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "a\u{3164}b",
            "می\u{200c}خواهم",
            "کتاب\u{64f}\u{200c}\u{64e}ها",
            "क्\u{200d}ष",
            "ශ්\u{200d}රී ලංකා",
            "නන්\u{200c}ද",
            "",
        ] {
            assert_eq!(format!("\u{a0} {text}\n").parse::<SingleLine>().unwrap().as_str(), text, "{text:?}");
        }
    }

    #[test]
    fn nothing_turns_hides_or_breaks_the_text() {
        for hostile in [
            "a\nb",
            "a\tb",
            "\u{1b}[31m",
            "a\u{7f}",
            "a\u{0}",
            "a\u{85}b",
            "a\u{2028}b",
            "a\u{2029}b",
            "Crown\u{202e}",
            "\u{2066}a\u{2069}",
            "a\u{200b}b",
            "a\u{200f}",
            "a\u{feff}b",
            "so\u{ad}ft",
            "a\u{e0041}",
            "\u{ad}",
            "a\u{200d}b",
            "👩\u{200d}",
            "\u{200d}👩",
            "👩\u{200d}b",
            "1\u{200d}1",
            "a\u{fe0f}\u{200d}👩",
            // Nothing shows that these are there.
            "a\u{200c}b",
            "می\u{200c}",
            "\u{200c}می",
            "می\u{200c}\u{200c}خواهم",
            "می\u{200d}خواهم",
            "می\u{200c} خواهم",
            "خواه\u{200c}a",
            "وا\u{200c}ر",
            "क्\u{200d}",
            "क्\u{200d}\u{200d}ष",
            "क\u{200d}ष",
            "क्\u{200c}1",
            "🦉\u{200c}🦉",
        ] {
            assert_eq!(hostile.parse::<SingleLine>(), Err(NotSingleLine::Control), "{hostile:?}");
        }
    }

    #[test]
    fn something_is_visible() {
        for blank in [
            "\u{3164}",
            "\u{115f}",
            "\u{2800}",
            "\u{ffa0} \u{1160}",
            "\u{34f}",
            "\u{301}",
            "\u{fe0f}",
            "\u{378}",
        ] {
            assert_eq!(blank.parse::<SingleLine>(), Err(NotSingleLine::Invisible), "{blank:?}");
        }
    }
}
