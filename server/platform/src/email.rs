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
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
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

    /// The address in lower case and in normal form KC, with its domain in ASCII, which identifies it: two
    /// spellings of one mailbox are equal.
    pub fn folded(&self) -> &str {
        &self.folded
    }
}

/// An address as a mail server takes it: with its domain in ASCII, so that only a local part in other letters
/// needs an extension of SMTP. An address without a domain stays as it is.
pub fn with_ascii_domain(address: &str) -> String {
    let ascii = |(local, domain): (&str, &str)| {
        idna::domain_to_ascii(domain).ok().map(|domain| format!("{local}@{domain}"))
    };
    address.rsplit_once('@').and_then(ascii).unwrap_or_else(|| address.to_owned())
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
        let (local, domain) = typed.rsplit_once('@').ok_or(NoEmail)?;
        let ascii = idna::domain_to_ascii(domain).map_err(|_| NoEmail)?;
        let (shown, shows_all) = idna::domain_to_unicode(&ascii);
        if shows_all.is_err() || mixes_scripts(&shown) {
            return Err(NoEmail);
        }
        let folded = format!("{}@{ascii}", folded(local));
        let options = Options::default().without_display_text().without_domain_literal();
        // With the domain in ASCII, as mails have it: the crate asks the compiler for letters. The one that
        // sends mails asks this crate, so an address that no mail could be sent to is refused here.
        EmailAddress::parse_with_options(&format!("{local}@{ascii}"), options).map_err(|_| NoEmail)?;
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
    use super::{Email, with_ascii_domain};

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
    fn spellings_of_one_domain_are_one_mailbox() {
        let ascii = "jo@xn--bcher-kva.example";
        for typed in ["jo@bücher.example", "Jo@BÜCHER.example", "jo@bu\u{308}cher.example", ascii] {
            let email: Email = typed.parse().unwrap();
            assert_eq!(email.folded(), ascii, "{typed}");
            assert_eq!(with_ascii_domain(typed).to_ascii_lowercase(), ascii, "{typed}");
        }
        assert_eq!(with_ascii_domain("jörg@bücher.example"), "jörg@xn--bcher-kva.example");
        assert!("ada@xn--exmple-4nf.org".parse::<Email>().is_err(), "a Cyrillic letter in a Latin word");
    }

    #[test]
    fn a_mail_can_be_sent_to_each_address() {
        // A small letter of Unicode 18, and a sign that takes the vowel from the letter before it.
        let domains = ["\u{1df49}da.example", "हिन्दी.example", "bücher.example"];
        let locals = ["ada", "jörg", "\u{1df49}da", "हिन्दी", "a🦉", "a\u{558}"];
        for (domain, local) in domains.iter().flat_map(|domain| locals.map(|local| (domain, local))) {
            let typed = format!("{local}@{domain}");
            let sent = with_ascii_domain(&typed).parse::<lettre::Address>().is_ok();
            assert_eq!(typed.parse::<Email>().is_ok(), sent, "{typed}");
            assert_eq!(sent, ["ada", "jörg"].contains(&local), "{typed}");
        }
        let capital: Email = "ada@\u{1df48}da.example".parse().unwrap();
        assert_eq!(capital.folded(), "ada@\u{1df49}da.example".parse::<Email>().unwrap().folded());
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
