//! Texts that lists are searched for.

use std::cmp::Reverse;
use std::str::FromStr;

use crate::text::searchable;

/// Words to search for. A text matches if it contains all of them, in any order, without regard to case,
/// accents and normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText {
    /// In the form of [`searchable`], the longest first. None is a part of another.
    words: Vec<String>,
}

/// The text is too long, or no database can store it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have at most 200 characters, none of them NUL")]
pub struct NoSearchText;

impl SearchText {
    const CHARS_MAX: usize = 200;

    /// The words, as [`searchable`] texts contain them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    pub fn matches(&self, text: &str) -> bool {
        self.is_in(&searchable(text))
    }

    /// Whether a [`searchable`] text contains all words.
    fn is_in(&self, text: &str) -> bool {
        self.words.iter().all(|word| text.contains(word.as_str()))
    }
}

impl FromStr for SearchText {
    type Err = NoSearchText;

    fn from_str(text: &str) -> Result<Self, NoSearchText> {
        if text.chars().count() > Self::CHARS_MAX || text.contains('\0') {
            return Err(NoSearchText);
        }
        let text = searchable(text);
        let mut given: Vec<&str> = text.split_whitespace().collect();
        given.sort_by_key(|word| Reverse(word.len()));
        let mut words: Vec<String> = Vec::new();
        for word in given {
            if !words.iter().any(|longer| longer.contains(word)) {
                words.push(word.to_owned());
            }
        }
        Ok(Self { words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> SearchText {
        text.parse().unwrap()
    }

    #[test]
    fn words_match_in_any_order_in_any_spelling() {
        let text = "Zoe\u{308}'s blue VASE, 100 % glass, Łódź";
        for words in ["vase blue", "zoë", "ZOE vase", "glass 100 %", "vase, blue", "lodz", "", "as ase"] {
            assert!(search(words).matches(text), "{words}");
        }
        for words in ["vase red", "10_", "blue*", "vaseblue", "\"vase\""] {
            assert!(!search(words).matches(text), "{words}");
        }
    }

    #[test]
    fn a_word_is_searched_for_once_and_the_longest_first() {
        assert_eq!(search(" a  vase VASE vases\tsilver ").words(), ["silver", "vases"]);
    }

    #[test]
    fn a_text_has_at_most_200_characters() {
        assert_eq!("é".repeat(200).parse(), Ok(search(&"é".repeat(200))));
        assert_eq!("é".repeat(201).parse::<SearchText>(), Err(NoSearchText));
        assert_eq!("a\0".parse::<SearchText>(), Err(NoSearchText));
    }
}
