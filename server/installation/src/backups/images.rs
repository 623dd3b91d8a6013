//! The pictures beside a backup, in the folder with its name and `.images`, whatever store they come from.
//! Their files never change, so that a hard link is a copy.

use std::collections::{HashMap, HashSet};
use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use futures::{StreamExt, TryStreamExt, stream};

use crate::needed_images::NeededImages;
use platform::file_store::{FileStore, StoreError, is_about_store};
use platform::files::{sync_folder, with_suffix};

const SUFFIX: &str = ".images";
/// The beginning of the names of incomplete files, which are not carried.
const PARTIAL: &str = "partial-";
/// Broken files that an error names, at most.
const NAMED_MAX: usize = 10;
/// Files that are on their way to or from a bucket at the same time, at most.
const TRANSFERS_MAX: usize = 8;

/// The pictures of a backup can't be copied.
#[derive(Debug, thiserror::Error)]
pub enum ImagesError {
    #[error("can't copy pictures to `{path}`: {cause}")]
    Folder { path: PathBuf, cause: std::io::Error },
    #[error("can't copy pictures: {0}")]
    Store(#[from] StoreError),
    /// The names of the first ones, and how many there are.
    #[error("{all} of the files of pictures are missing or damaged: {shown}")]
    Broken { all: usize, shown: String },
}

impl ImagesError {
    /// Whether the disk takes no more.
    pub fn is_full(&self) -> bool {
        let Self::Folder { cause, .. } = self else { return false };
        cause.kind() == ErrorKind::StorageFull
    }

    fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::Folder { path: path.to_owned(), cause }
    }
}

/// The folder with the pictures of a backup. Without any there is none.
pub fn folder_of(backup: &Path) -> PathBuf {
    with_suffix(backup, SUFFIX)
}

/// Gives a backup every picture of the store, durably. Those that it has stay. May be repeated.
pub async fn save(store: &FileStore, backup: &Path) -> Result<(), ImagesError> {
    let to = folder_of(backup);
    match store {
        FileStore::Folder(folder) => carry(folder.path().to_owned(), to).await,
        FileStore::Bucket(_) => download(store, &to).await,
    }
}

/// Gives the store every picture of a backup, durably. Those that it has stay. May be repeated.
pub async fn bring_back(backup: &Path, store: &FileStore) -> Result<(), ImagesError> {
    let from = folder_of(backup);
    match store {
        FileStore::Folder(folder) => carry(from, folder.path().to_owned()).await,
        FileStore::Bucket(_) => upload(&from, store).await,
    }
}

/// Fails unless every needed file is whole in the backup, or else in the store.
pub async fn require_whole(
    backup: &Path,
    needed: &NeededImages,
    store: Option<&FileStore>,
) -> Result<(), ImagesError> {
    let (folder, wanted) = (folder_of(backup), needed.clone());
    let mut broken = blocking(folder, move |folder| broken_files(folder, wanted)).await?;
    if let Some(store) = store {
        let mut left = Vec::new();
        for name in broken {
            if !store.get(&name).await?.is_some_and(|bytes| (needed.is_whole)(&name, &bytes)) {
                left.push(name);
            }
        }
        broken = left;
    }
    if broken.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = broken.iter().take(NAMED_MAX).map(String::as_str).collect();
    let more = if broken.len() > NAMED_MAX { ", …" } else { "" };
    Err(ImagesError::Broken { all: broken.len(), shown: format!("{}{more}", shown.join(", ")) })
}

/// Replaces each needed file of a folder that is damaged by that of the backup. The files of a bucket are
/// whole: each was written at once.
pub async fn repair(backup: &Path, needed: &NeededImages, store: &FileStore) -> Result<(), ImagesError> {
    let FileStore::Folder(folder) = store else { return Ok(()) };
    let wanted = needed.clone();
    let damaged = blocking(folder.path().to_owned(), move |folder| broken_files(folder, wanted)).await?;
    for name in damaged {
        let saved = blocking(folder_of(backup).join(&name), |path| if_there(std::fs::read(path))).await?;
        if let Some(bytes) = saved.filter(|bytes| (needed.is_whole)(&name, bytes)) {
            store.put(&name, bytes).await?;
        }
    }
    Ok(())
}

/// The needed files that the folder does not have whole.
fn broken_files(folder: &Path, needed: NeededImages) -> std::io::Result<Vec<String>> {
    let mut broken = Vec::new();
    for name in needed.names {
        match if_there(std::fs::read(folder.join(&name)))? {
            Some(bytes) if (needed.is_whole)(&name, &bytes) => {}
            _ => broken.push(name),
        }
    }
    Ok(broken)
}

fn if_there<T>(found: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

async fn carry(from: PathBuf, to: PathBuf) -> Result<(), ImagesError> {
    blocking(to, move |to| carry_files(&from, to)).await
}

/// Works with a folder on a thread for work that blocks.
async fn blocking<T: Send + 'static>(
    path: PathBuf,
    work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
) -> Result<T, ImagesError> {
    let shown = path.clone();
    let done = tokio::task::spawn_blocking(move || work(&path)).await.map_err(std::io::Error::from);
    done.flatten().map_err(ImagesError::at(&shown))
}

/// What another backup has already is linked instead of transferred again.
async fn download(store: &FileStore, to: &Path) -> Result<(), ImagesError> {
    let listed: Vec<String> = store.list().await?.into_iter().map(|file| file.name).collect();
    let missing = blocking(to.to_owned(), move |to| link_known(listed, to)).await?;
    let transfers = stream::iter(missing).map(|name| async move {
        // The collection of unused pictures may have removed it since it was listed.
        let Some(bytes) = store.get(&name).await? else { return Ok(()) };
        blocking(to.to_owned(), move |to| write(&bytes, to, &name)).await
    });
    transfers.buffer_unordered(TRANSFERS_MAX).try_collect::<()>().await?;
    blocking(to.to_owned(), |to| if to.exists() { sync(to) } else { Ok(()) }).await
}

/// Links those of the files that a backup beside `to` has, and returns the names of the others.
fn link_known(names: Vec<String>, to: &Path) -> std::io::Result<Vec<String>> {
    if names.is_empty() {
        return Ok(names);
    }
    DirBuilder::new().recursive(true).mode(0o700).create(to)?;
    let known = files_beside(to)?;
    let mut missing = Vec::new();
    for name in names {
        let target = to.join(&name);
        let is_linked = || known.get(&name).is_some_and(|file| std::fs::hard_link(file, &target).is_ok());
        if !target.exists() && !is_linked() {
            missing.push(name);
        }
    }
    Ok(missing)
}

/// The complete files in the folders of other backups, by name.
fn files_beside(folder: &Path) -> std::io::Result<HashMap<String, PathBuf>> {
    let mut files = HashMap::new();
    let Some(parent) = folder.parent() else { return Ok(files) };
    for backup in std::fs::read_dir(parent)? {
        let backup = backup?.path();
        if backup != folder && backup.to_string_lossy().ends_with(SUFFIX) && backup.is_dir() {
            files.extend(complete_files(&backup)?);
        }
    }
    Ok(files)
}

/// The complete files in a folder, by name. A missing folder has none. What is about the
/// store is not carried.
pub(super) fn complete_files(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && !name.starts_with(PARTIAL) && !is_about_store(&name) {
            files.push((name, entry.path()));
        }
    }
    Ok(files)
}

fn write(bytes: &[u8], folder: &Path, name: &str) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name)).map(drop).map_err(std::io::Error::from)
}

async fn upload(from: &Path, store: &FileStore) -> Result<(), ImagesError> {
    let files = blocking(from.to_owned(), complete_files).await?;
    let stored: HashSet<String> = store.list().await?.into_iter().map(|file| file.name).collect();
    let missing = files.into_iter().filter(|(name, _)| !stored.contains(name));
    let transfers = stream::iter(missing).map(|(name, path)| async move {
        let bytes = blocking(path, |path| std::fs::read(path)).await?;
        Ok::<_, ImagesError>(store.put(&name, bytes).await?)
    });
    transfers.buffer_unordered(TRANSFERS_MAX).try_collect::<()>().await
}

fn carry_files(from: &Path, to: &Path) -> std::io::Result<()> {
    let files = complete_files(from)?;
    if files.is_empty() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(to)?;
    for (name, file) in files {
        let target = to.join(name);
        match std::fs::hard_link(&file, &target) {
            // The collection of unused pictures has removed it since it was listed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(()) => {}
            // Another file system, or one without links.
            Err(_) => copy(&file, &to.join(format!("{PARTIAL}copy")), &target)?,
        }
    }
    sync(to)
}

/// Writes the names in the folder, and its own, to the disk.
fn sync(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()?;
    sync_folder(folder)
}

fn copy(from: &Path, partial: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(from, partial)?;
    File::open(partial)?.sync_all()?;
    std::fs::rename(partial, to)
}

/// Removes the pictures of a backup that is removed.
pub fn remove(backup: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder_of(backup)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use platform::file_store::{BucketAccess, StoreLocation};

    use super::*;

    #[tokio::test]
    async fn complete_pictures_are_carried_and_those_that_are_there_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [images, backup] = ["images", "one.db"].map(|name| folder.path().join(name));
        let location = StoreLocation::Folder(images.clone());
        let store = FileStore::open(&location, &BucketAccess::default()).unwrap();
        save(&store, &backup).await.unwrap();
        assert!(!folder_of(&backup).exists(), "without pictures there is no folder");
        std::fs::create_dir(&images).unwrap();
        for name in ["a.full.jpg", "b.full.jpg", "partial-x"] {
            std::fs::write(images.join(name), name).unwrap();
        }
        save(&store, &backup).await.unwrap();
        std::fs::remove_file(images.join("a.full.jpg")).unwrap();
        bring_back(&backup, &store).await.unwrap();
        assert_eq!(std::fs::read_to_string(images.join("a.full.jpg")).unwrap(), "a.full.jpg");
        assert_eq!(std::fs::read_dir(folder_of(&backup)).unwrap().count(), 2);
        remove(&backup).unwrap();
        remove(&backup).unwrap();
        assert!(!folder.path().join("one.db.images").exists());
    }
}
