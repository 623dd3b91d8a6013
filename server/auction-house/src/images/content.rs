//! The names of the kept files. A file never changes, and its name is the hash of its content: two items with
//! the same picture share it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ImageSize;

/// The end of the name of every kept file.
const SUFFIX: &str = ".jpg";
/// The first and the last marker of a JPEG.
const JPEG_START: &[u8] = &[0xff, 0xd8];
const JPEG_END: &[u8] = &[0xff, 0xd9];

/// The SHA-256 of an image in its full size, which names the files of all sizes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Content(String);

/// The text is not the hash of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 64 hexadecimal digits")]
pub struct NotAContent;

impl FromStr for Content {
    type Err = NotAContent;

    fn from_str(text: &str) -> Result<Self, NotAContent> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for Content {
    type Error = NotAContent;

    fn try_from(text: String) -> Result<Self, NotAContent> {
        let is_hash = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hash { Ok(Self(text)) } else { Err(NotAContent) }
    }
}

impl From<Content> for String {
    fn from(content: Content) -> Self {
        content.0
    }
}

impl Content {
    /// The content of an image whose full size has these bytes.
    pub fn of(full: &[u8]) -> Self {
        Self(const_hex::encode(Sha256::digest(full)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the file of this size.
    pub fn file_name(&self, size: ImageSize) -> String {
        format!("{}.{}{SUFFIX}", self.0, size.as_str())
    }

    /// The content of the file of this name; `None` if it is not the file of an image.
    pub fn of_file(name: &str) -> Option<Self> {
        let (content, size) = name.strip_suffix(SUFFIX)?.split_once('.')?;
        size.parse::<ImageSize>().ok()?;
        content.parse().ok()
    }

    /// Whether these are all bytes of the file of this name: the full size by its hash, another by its
    /// beginning and its end.
    pub fn is_whole_file(name: &str, bytes: &[u8]) -> bool {
        let Some(content) = Self::of_file(name) else { return false };
        if content.file_name(ImageSize::Full) == name {
            return Self::of(bytes) == content;
        }
        bytes.starts_with(JPEG_START) && bytes.ends_with(JPEG_END)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_a_hash_and_no_path() {
        assert!("a".repeat(64).parse::<Content>().is_ok());
        for invalid in
            ["", "../../etc/passwd", &"A".repeat(64), &"a".repeat(63), &format!("../{}", "a".repeat(61))]
        {
            assert_eq!(invalid.parse::<Content>(), Err(NotAContent), "{invalid}");
        }
    }

    #[test]
    fn a_cut_file_is_not_whole() {
        let picture = [JPEG_START, &[0; 100], JPEG_END].concat();
        let content = Content::of(&picture);
        for size in ImageSize::ALL {
            let name = content.file_name(size);
            assert!(Content::is_whole_file(&name, &picture));
            assert!(!Content::is_whole_file(&name, &picture[..50]) && !Content::is_whole_file(&name, &[]));
        }
        assert!(!Content::is_whole_file("notes.txt", &picture));
    }

    #[test]
    fn files_of_all_sizes_name_their_content() {
        let content = Content::of(&[1]);
        for size in ImageSize::ALL {
            assert_eq!(Content::of_file(&content.file_name(size)).as_ref(), Some(&content));
        }
        for other in ["notes.txt", "a.full.jpg", &format!("{}.large.jpg", content.as_str())] {
            assert_eq!(Content::of_file(other), None, "{other}");
        }
    }
}
