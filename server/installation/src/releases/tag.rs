//! Tags that name a version.

use std::fmt;
use std::str::FromStr;

use semver::{BuildMetadata, Version};

const CHARS_MAX: usize = 64;

/// `1.2.3` or `v1.2.3`, possibly with build metadata. It begins with a digit or `v` and consists of ASCII
/// letters, digits, points, hyphens and `+`, so it is safe as an argument and as the name of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    text: String,
    version: Version,
}

/// The text is not such a tag, or names a pre-release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a plain version such as v1.2.3")]
pub struct NoPlainVersion;

impl Tag {
    /// The tag as the source names it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The version without build metadata, which does not count.
    pub fn version(&self) -> &Version {
        &self.version
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Tag {
    type Err = NoPlainVersion;

    fn from_str(text: &str) -> Result<Self, NoPlainVersion> {
        if text.len() > CHARS_MAX {
            return Err(NoPlainVersion);
        }
        let bare = text.strip_prefix('v').unwrap_or(text);
        let mut version = Version::parse(bare).map_err(|_| NoPlainVersion)?;
        if !version.pre.is_empty() {
            return Err(NoPlainVersion);
        }
        version.build = BuildMetadata::EMPTY;
        Ok(Self { text: text.to_owned(), version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_version_is_accepted() {
        for (text, version) in
            [("v1.2.3", "1.2.3"), ("1.2.3", "1.2.3"), ("v0.10.0", "0.10.0"), ("v1.2.3+build.5", "1.2.3")]
        {
            let tag: Tag = text.parse().unwrap();
            assert_eq!((tag.as_str(), tag.version().to_string().as_str()), (text, version));
        }
        assert!("1.10.0".parse::<Tag>().unwrap().version() > "v1.9.0".parse::<Tag>().unwrap().version());
    }

    #[test]
    fn anything_else_is_refused() {
        let long = format!("1.2.3+{}", "a".repeat(CHARS_MAX));
        for text in [
            "",
            "v",
            "v1",
            "v1.2",
            "vv1.2.3",
            "V1.2.3",
            "v1.2.3-rc1",
            "v01.2.3",
            "v1.2.3.4",
            " v1.2.3",
            "v1.2.3\n",
            "--upload-pack=x",
            "-1.2.3",
            "v1.2.3;id",
            "v1.2.3+$(id)",
            "v1.2.3/../x",
            "release/1.2.3",
            "v1.2.99999999999999999999",
            &long,
        ] {
            assert!(text.parse::<Tag>().is_err(), "{text:?}");
        }
    }
}
