//! The address under which people reach this installation.

use std::str::FromStr;

use axum::http::Uri;
use serde::Deserialize;

/// `http` or `https`, a host, and a port if it is not the usual one; nothing behind it. Written as a
/// browser writes an origin, so that the two can be compared as text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl(String);

/// The text is no such address.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no address such as https://bids.example.org, without a path")]
pub struct NoPublicUrl(String);

impl PublicUrl {
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PublicUrl {
    type Err = NoPublicUrl;

    fn from_str(text: &str) -> Result<Self, NoPublicUrl> {
        let wrong = || NoPublicUrl(text.to_owned());
        let uri: Uri = text.trim().parse().map_err(|_| wrong())?;
        let scheme = uri.scheme_str().unwrap_or("");
        let usual_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong()),
        };
        let authority = uri.authority().ok_or_else(wrong)?;
        let bare = matches!(uri.path(), "" | "/") && uri.query().is_none();
        if !bare || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(wrong());
        }
        let host = authority.host().to_ascii_lowercase();
        Ok(Self(match authority.port_u16() {
            Some(port) if port != usual_port => format!("{scheme}://{host}:{port}"),
            _ => format!("{scheme}://{host}"),
        }))
    }
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
    fn is_written_like_an_origin() {
        for (given, kept) in [
            ("https://Bids.Example/", "https://bids.example"),
            ("https://bids.example:443", "https://bids.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(given.parse::<PublicUrl>().unwrap().as_str(), kept);
        }
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for text in
            ["", "bids.example", "ftp://x", "https://x/path", "https://a@x", "https://x?y", "https://"]
        {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }
}
