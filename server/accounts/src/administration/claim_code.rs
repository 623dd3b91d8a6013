//! The one-time code with which a user becomes the first Deployment Admin.

use std::fmt;

use platform::random::{self, NoEntropy};
use platform::token::TokenHash;

/// The digits of a code, in groups of this many.
const GROUP_DIGITS: usize = 5;

/// 80 random bits in hexadecimal digits, which the log and the shell show: `1a2b3-…`.
#[derive(Debug, Clone)]
pub struct ClaimCode(String);

impl ClaimCode {
    pub fn new() -> Result<Self, NoEntropy> {
        let digits = const_hex::encode(random::bytes::<10>()?);
        let groups: Vec<String> = digits
            .as_bytes()
            .chunks(GROUP_DIGITS)
            .map(|group| String::from_utf8_lossy(group).into())
            .collect();
        Ok(Self(groups.join("-")))
    }

    pub(super) fn stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this was typed, in upper or lower case, with or without hyphens and spaces.
    pub fn is(&self, typed: &str) -> bool {
        // The comparison of hashes takes the same time for any text.
        let hash = |text: &str| {
            let digits: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
            TokenHash::of(&digits.to_ascii_lowercase())
        };
        hash(&self.0) == hash(typed)
    }
}

impl fmt::Display for ClaimCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ClaimCode;

    #[test]
    fn a_code_is_recognized_as_it_may_be_typed() {
        let code = ClaimCode::new().unwrap();
        assert_eq!(code.as_str().split('-').map(str::len).collect::<Vec<_>>(), [5, 5, 5, 5]);
        let text = code.as_str();
        for typed in [text.to_owned(), text.to_ascii_uppercase(), text.replace('-', ""), format!(" {text} ")]
        {
            assert!(code.is(&typed), "{typed}");
        }
        for typed in ["", "-", &text[1..], ClaimCode::new().unwrap().as_str()] {
            assert!(!code.is(typed), "{typed}");
        }
    }
}
