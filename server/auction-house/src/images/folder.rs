//! The folder of the kept files. A file never changes, and its name is the hash of its content: two items with the same picture
//! share it. Several servers may share the folder.

use std::fs::{DirBuilder, File};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::ImageSize;
use super::rendition::Rendition;
use platform::files::sync_folder;

/// The end of the name of every kept file.
const SUFFIX: &str = ".jpg";
/// The beginning of the name of a file that is not complete yet.
const PARTIAL: &str = "partial-";

/// The SHA-256 of an image in its full size, which names the files of both sizes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Content(String);

/// The text is not the hash of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 64 hexadecimal digits")]
pub struct NotAContent;

impl FromStr for Content {
    type Err = NotAContent;

    fn from_str(text: &str) -> std::result::Result<Self, NotAContent> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for Content {
    type Error = NotAContent;

    fn try_from(text: String) -> std::result::Result<Self, NotAContent> {
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
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The folder of the kept files.
#[derive(Debug, Clone)]
pub struct ImageFolder(PathBuf);

/// A file of the folder.
#[derive(Debug, PartialEq, Eq)]
pub struct KeptFile {
    pub path: PathBuf,
    /// `None`: the file is not complete.
    pub content: Option<Content>,
    /// When it was written last.
    pub written_at: SystemTime,
}

impl ImageFolder {
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Makes the folder, which only its owner can read, if it is missing.
    fn make(&self) -> Result<&Path> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        Ok(&self.0)
    }

    /// A file without a name for an upload. It is gone once it is closed, also when the server is killed.
    pub fn new_upload(&self) -> Result<File> {
        tempfile::tempfile_in(self.make()?)
    }

    /// Writes both sizes durably. The files are complete before they have their names, and are there before the database refers
    /// to them: a crash leaves files without an item, which `items::images::collect` removes.
    pub fn keep(&self, rendition: &Rendition) -> Result<Content> {
        let content = Content(const_hex::encode(Sha256::digest(&rendition.full)));
        let folder = self.make()?;
        for (size, bytes) in
            [(ImageSize::Thumbnail, &rendition.thumbnail), (ImageSize::Full, &rendition.full)]
        {
            // Also where the file exists: it is new again for the collection of files without an item.
            let mut file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            let path = self.path(&content, size);
            NamedTempFile::persist(file, path).map_err(Error::from)?;
        }
        sync_folder(&self.path(&content, ImageSize::Full))?;
        Ok(content)
    }

    pub fn path(&self, content: &Content, size: ImageSize) -> PathBuf {
        self.0.join(format!("{}.{}{SUFFIX}", content.as_str(), size.as_str()))
    }

    /// The files that this module has written, complete or not.
    pub fn files(&self) -> Result<Vec<KeptFile>> {
        let entries = match std::fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let Some(content) = name.to_str().and_then(content_of) else { continue };
            let written_at = match entry.metadata() {
                // Another server has removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                data => data?.modified()?,
            };
            files.push(KeptFile { path: entry.path(), content, written_at });
        }
        Ok(files)
    }
}

/// What a file of this name has: `None` if it is not a file of the folder, `Some(None)` if it is not complete.
fn content_of(name: &str) -> Option<Option<Content>> {
    if name.starts_with(PARTIAL) {
        return Some(None);
    }
    let (content, size) = name.strip_suffix(SUFFIX)?.split_once('.')?;
    ImageSize::named(size)?;
    content.parse().ok().map(Some)
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
    fn both_sizes_are_kept_once_and_other_files_are_not_listed() {
        let parent = tempfile::tempdir().unwrap();
        let folder = ImageFolder::at(parent.path().join("images"));
        assert_eq!(folder.files().unwrap(), []);
        let rendition = Rendition { width: 1, height: 1, full: vec![1], thumbnail: vec![2] };
        let content = folder.keep(&rendition).unwrap();
        assert_eq!(folder.keep(&rendition).unwrap(), content);
        std::fs::write(parent.path().join("images/notes.txt"), "").unwrap();
        std::fs::write(parent.path().join("images/partial-x"), "").unwrap();
        let files = folder.files().unwrap();
        assert_eq!(files.iter().filter(|file| file.content.as_ref() == Some(&content)).count(), 2);
        assert_eq!(files.iter().filter(|file| file.content.is_none()).count(), 1);
        assert_eq!(std::fs::read(folder.path(&content, ImageSize::Thumbnail)).unwrap(), [2]);
    }
}
