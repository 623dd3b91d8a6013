//! The setting `releases-url`.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use url::Url;

/// `git`, the URL of a release API, or `off`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Releases {
    /// The tags of the installation's `origin`.
    Git,
    /// An `http` or `https` address whose answer is `{tag_name, html_url, body, assets}`.
    Api(String),
    /// Releases are not looked up.
    Off,
}

/// The text is none of these. It is not quoted, because an address may contain a password.
#[derive(Debug, thiserror::Error)]
#[error("it is neither `git` nor `off` nor an address such as https://releases.example.org/latest")]
pub struct NoReleases;

impl FromStr for Releases {
    type Err = NoReleases;

    fn from_str(text: &str) -> Result<Self, NoReleases> {
        match text {
            "git" => return Ok(Self::Git),
            "off" => return Ok(Self::Off),
            _ => {}
        }
        // The schemes http and https require a host.
        let url: Url = text.trim().parse().map_err(|_| NoReleases)?;
        let is_web = matches!(url.scheme(), "http" | "https");
        if is_web { Ok(Self::Api(text.trim().to_owned())) } else { Err(NoReleases) }
    }
}

/// The text that was given. An address may contain a password.
impl fmt::Display for Releases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Git => "git",
            Self::Api(address) => address,
            Self::Off => "off",
        })
    }
}

impl TryFrom<String> for Releases {
    type Error = NoReleases;

    fn try_from(text: String) -> Result<Self, NoReleases> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::Releases;

    #[test]
    fn git_off_or_an_address_of_the_web() {
        for (text, releases) in [("git", Releases::Git), ("off", Releases::Off)] {
            assert_eq!(text.parse::<Releases>().unwrap(), releases);
            assert_eq!(releases.to_string(), text);
        }
        let address = "https://releases.example.org/latest?channel=stable";
        assert_eq!(address.parse::<Releases>().unwrap(), Releases::Api(address.to_owned()));
        for text in
            ["", "Git", "releases.example.org", "file:///etc/passwd", "ftp://x/", "https://", "/latest"]
        {
            assert!(text.parse::<Releases>().is_err(), "{text}");
        }
    }
}
