//! The setting that names a store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Deserialize;

const SCHEME: &str = "s3://";

/// A folder, or a place in a bucket: `s3://BUCKET` or `s3://BUCKET/PREFIX`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum StoreLocation {
    Folder(PathBuf),
    Bucket(BucketPlace),
}

/// A bucket, and the beginning of the names of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketPlace {
    bucket: String,
    prefix: String,
}

/// The text names no store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither the path of a folder nor s3://BUCKET or s3://BUCKET/PREFIX")]
pub struct NoStoreLocation(String);

impl BucketPlace {
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// Without a slash at its ends; empty for the whole bucket.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    fn parse(text: &str) -> Option<Self> {
        let (bucket, prefix) = text.split_once('/').unwrap_or((text, ""));
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_plain =
            |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter));
        let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && is_plain(part);
        let is_valid = is_part(bucket) && (prefix.is_empty() || prefix.split('/').all(is_part));
        is_valid.then(|| Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl FromStr for StoreLocation {
    type Err = NoStoreLocation;

    fn from_str(text: &str) -> Result<Self, NoStoreLocation> {
        let location = match text.strip_prefix(SCHEME) {
            Some(place) => BucketPlace::parse(place).map(Self::Bucket),
            None if text.is_empty() || text.contains("://") => None,
            None => Some(Self::Folder(PathBuf::from(text))),
        };
        location.ok_or_else(|| NoStoreLocation(text.to_owned()))
    }
}

impl TryFrom<String> for StoreLocation {
    type Error = NoStoreLocation;

    fn try_from(text: String) -> Result<Self, NoStoreLocation> {
        text.parse()
    }
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Bucket(BucketPlace { bucket, prefix }) if prefix.is_empty() => {
                write!(f, "{SCHEME}{bucket}")
            }
            Self::Bucket(BucketPlace { bucket, prefix }) => write!(f, "{SCHEME}{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_a_path_or_a_place_in_a_bucket() {
        for (text, shown) in [
            ("data/images", "data/images"),
            ("/srv/pictures", "/srv/pictures"),
            ("s3://pictures", "s3://pictures"),
            ("s3://pictures/", "s3://pictures"),
            ("s3://my.pictures/farthing/a_b", "s3://my.pictures/farthing/a_b"),
        ] {
            let location: StoreLocation = text.parse().unwrap();
            assert_eq!(location.to_string(), shown);
            assert_eq!(matches!(location, StoreLocation::Bucket(_)), text.starts_with(SCHEME));
        }
        for invalid in [
            "",
            "s3://",
            "s3:///x",
            "s3://a//b",
            "s3://a/../b",
            "s3://a b",
            "s3://a/?x",
            "gs://a",
            "https://a/b",
        ] {
            assert_eq!(invalid.parse::<StoreLocation>(), Err(NoStoreLocation(invalid.to_owned())));
        }
    }
}
