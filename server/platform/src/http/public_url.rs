//! The public address of this installation.

use std::str::FromStr;

use serde::Deserialize;
use url::Url;

/// An `http` or `https` origin, serialized as browsers serialize it: two addresses are equal if their texts
/// are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl(String);

/// The text is not such an address.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not an address such as https://bids.example.org, without a path")]
pub struct NoPublicUrl(String);

impl PublicUrl {
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// The host's name or address, with its port if that is not the usual one.
    pub fn host(&self) -> &str {
        self.0.split_once("://").map_or("", |(_, host)| host)
    }

    /// Without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PublicUrl {
    type Err = NoPublicUrl;

    fn from_str(text: &str) -> Result<Self, NoPublicUrl> {
        let url = Url::parse(text).ok().filter(is_bare).ok_or_else(|| NoPublicUrl(text.to_owned()))?;
        Ok(Self(url.origin().ascii_serialization()))
    }
}

/// Whether the address is an `http` or `https` origin and nothing else.
fn is_bare(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none()
}

impl TryFrom<String> for PublicUrl {
    type Error = NoPublicUrl;

    fn try_from(text: String) -> Result<Self, NoPublicUrl> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::PublicUrl;

    #[test]
    fn is_serialized_like_an_origin() {
        for (given, kept) in [
            ("https://Bids.Example/", "https://bids.example"),
            ("https://bids.example:443", "https://bids.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://bücher.example", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(given.parse::<PublicUrl>().unwrap().as_str(), kept);
        }
    }

    #[test]
    fn refuses_what_is_not_an_origin() {
        for text in [
            "",
            "null",
            "bids.example",
            "ftp://x",
            "https://x/path",
            "https://a@x",
            "https://x?y",
            "https://x#y",
            "https://",
        ] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }
}
