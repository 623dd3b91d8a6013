//! Codes of groups.

use std::fmt;
use std::str::FromStr;

use platform::random::{self, NoEntropy};

/// Without letters and digits that look alike.
const ALPHABET: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CHARS: usize = 6;

/// Six letters and digits that the people of a group share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCode(String);

/// The text is not the code of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the six letters and digits of a group's code")]
pub struct NotACode;

impl GroupCode {
    pub fn new() -> Result<Self, NoEntropy> {
        let mut code = String::with_capacity(CHARS);
        while code.len() < CHARS {
            // A byte beyond the last multiple would make some letters more likely.
            let drawn: [u8; 16] = random::bytes()?;
            let fair = drawn.into_iter().map(usize::from).filter(|byte| *byte < 8 * ALPHABET.len());
            let letters = fair.filter_map(|byte| ALPHABET.get(byte % ALPHABET.len()));
            code.extend(letters.map(|letter| char::from(*letter)).take(CHARS - code.len()));
        }
        Ok(Self(code))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GroupCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Without regard to case and blanks.
impl FromStr for GroupCode {
    type Err = NotACode;

    fn from_str(text: &str) -> Result<Self, NotACode> {
        let typed = text.chars().filter(|letter| !letter.is_whitespace());
        let code: String = typed.map(|letter| letter.to_ascii_uppercase()).take(CHARS + 1).collect();
        let is_code = code.len() == CHARS && code.bytes().all(|byte| ALPHABET.contains(&byte));
        if is_code { Ok(Self(code)) } else { Err(NotACode) }
    }
}

platform::text_column!(GroupCode);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_in_any_case_and_with_blanks() {
        for _ in 0..200 {
            let code = GroupCode::new().unwrap();
            let typed = format!(" {} {}\t", &code.as_str()[..3].to_ascii_lowercase(), &code.as_str()[3..]);
            assert_eq!(typed.parse(), Ok(code));
        }
        for text in ["", "ABCDE", "ABCDEFG", "ABCDE0", "ABCDEI", "ABCD-E", "ÄBCDEF"] {
            assert_eq!(text.parse::<GroupCode>(), Err(NotACode), "{text}");
        }
    }
}
