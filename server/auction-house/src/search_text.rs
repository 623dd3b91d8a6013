//! Texts that lists are searched for.

use std::str::FromStr;

/// A text to search for, without regard to case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText(String);

/// The text is too long, or no database can store it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have at most 200 characters, none of them NUL")]
pub struct NoSearchText;

impl SearchText {
    const CHARS_MAX: usize = 200;

    pub fn folded(&self) -> &str {
        &self.0
    }
}

impl FromStr for SearchText {
    type Err = NoSearchText;

    fn from_str(text: &str) -> Result<Self, NoSearchText> {
        if text.chars().count() > Self::CHARS_MAX || text.contains('\0') {
            return Err(NoSearchText);
        }
        Ok(Self(text.to_lowercase()))
    }
}
