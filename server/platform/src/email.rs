//! E-mail addresses.

use std::fmt;
use std::str::FromStr;

use email_address::{EmailAddress, Options};
use serde::Deserialize;

use crate::text::{composed, folded, is_hidden, is_variant, mixes_scripts};

/// Limit of SMTP.
const BYTES_MAX: usize = 254;

/// A valid address: trimmed, at most 254 bytes, without display name, in normal form C, without invisible
/// characters, other forms of plain letters, and words that mix scripts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Email {
    typed: String,
    folded: String,
}

/// The text is not a valid address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address such as ada@example.org, of at most 254 bytes")]
pub struct NoEmail;

impl Email {
    /// The address as typed, to be shown and written to.
    pub fn as_typed(&self) -> &str {
        &self.typed
    }

    /// The address in lower case and in normal form KC, which identifies it.
    pub fn folded(&self) -> &str {
        &self.folded
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}

impl FromStr for Email {
    type Err = NoEmail;

    fn from_str(text: &str) -> Result<Self, NoEmail> {
        let typed = composed(text.trim());
        // Invisible characters and other forms of letters would allow two accounts with the same visible
        // address.
        let is_odd = |letter: char| letter.is_whitespace() || is_hidden(letter) || is_variant(letter);
        if typed.len() > BYTES_MAX || text.trim().chars().any(is_odd) || mixes_scripts(&typed) {
            return Err(NoEmail);
        }
        let options = Options::default().without_display_text().without_domain_literal();
        EmailAddress::parse_with_options(&typed, options).map_err(|_| NoEmail)?;
        let folded = folded(&typed);
        Ok(Self { typed, folded })
    }
}

crate::text_column!(Email);

impl TryFrom<String> for Email {
    type Error = NoEmail;

    fn try_from(text: String) -> Result<Self, NoEmail> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::Email;

    #[test]
    fn is_trimmed_and_folded() {
        let email: Email = "  Ada@Example.ORG ".parse().unwrap();
        assert_eq!(email.as_typed(), "Ada@Example.ORG");
        assert_eq!(email.folded(), "ada@example.org");
        for typed in ["ÄNNA@example.org", "A\u{308}nna@example.org"] {
            assert_eq!(typed.parse::<Email>().unwrap().folded(), "änna@example.org");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        let long = format!("{}@{}.example", "a".repeat(60), "b".repeat(60).repeat(4));
        for text in [
            "",
            " ",
            "ada",
            "@",
            "ada@",
            "@example.org",
            "a b@example.org",
            "a@b@c.example",
            "Ada <ada@example.org>",
            "ada@example.org\u{200b}",
            "a\u{3164}da@example.org",
            "a\u{ad}da@example.org",
            "\u{212a}ate@example.org",
            "ada@ex\u{430}mple.org",
            "ａｄａ@example.org",
            "a\u{0}@example.org",
            "ada@[127.0.0.1]",
            "ada@example.org\r\nBcc: x@y.z",
            &long,
        ] {
            assert!(text.parse::<Email>().is_err(), "{text:?}");
        }
    }
}
