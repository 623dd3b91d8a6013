//! Language tags.

use std::fmt;
use std::str::FromStr;

const BYTES_MAX: usize = 35;

/// A BCP 47 tag by its form: a language of 2–3 letters, then subtags of 1–8 letters or digits. The tag
/// need not be registered: browsers ignore unknown ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale(String);

/// The text is not a language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a language tag such as en-GB")]
pub struct NoLocale;

impl Locale {
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Locale {
    type Err = NoLocale;

    fn from_str(text: &str) -> Result<Self, NoLocale> {
        let mut parts = text.split('-');
        let language = parts.next().unwrap_or("");
        let is_language =
            matches!(language.len(), 2 | 3) && language.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_subtag = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let ends_in_singleton = text.len() > 1 && text.as_bytes().iter().rev().nth(1) == Some(&b'-');
        if text.len() > BYTES_MAX || !is_language || ends_in_singleton || !parts.all(is_subtag) {
            return Err(NoLocale);
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn a_tag_has_the_form_of_one() {
        for text in ["en", "de-CH", "zh-Hant-TW", "sr-Latn-RS", "gsw", "de-CH-1996", "en-u-ca-buddhist"] {
            assert!(text.parse::<Locale>().is_ok(), "{text}");
        }
        for text in
            ["", "e", "english", "en_GB", "en-", "-en", "en--GB", "12", "en-a", "en-toolongsubtag", " en"]
        {
            assert!(text.parse::<Locale>().is_err(), "{text}");
        }
    }
}
