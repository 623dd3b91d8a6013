//! Files in a folder. Unlike the folders of `object_store`, it flushes each file and its name to the disk
//! before it answers, and only its owner can read what it creates, whatever the file mode mask of the process
//! is.

use std::fs::DirBuilder;
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::Semaphore;

use super::{StoreError, StoredFile};
use crate::files::sync_folder;
use crate::time::Moment;

/// The beginning of the name of a file that is not complete yet.
const PARTIAL: &str = "partial-";
/// Threads that work with the folder, at most. A network disk that hangs keeps them, and leaves passwords the
/// other [threads of low priority](crate::low_priority).
const THREADS_MAX: usize = 8;
/// How long work waits for one of them.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// A folder of files.
#[derive(Debug, Clone)]
pub struct FolderFiles {
    path: PathBuf,
    threads: Arc<Semaphore>,
}

impl FolderFiles {
    pub fn at(path: PathBuf) -> Self {
        Self { path, threads: Arc::new(Semaphore::new(THREADS_MAX)) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder if it is missing.
    pub fn make(&self) -> Result<&Path> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        Ok(&self.path)
    }

    /// Works with the folder on a thread for work that blocks, one of [`THREADS_MAX`]. It is carried out even
    /// if the future is dropped.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        let hangs = || StoreError::Hangs { path: self.path.clone() };
        let thread = tokio::time::timeout(WAIT_MAX, Arc::clone(&self.threads).acquire_owned()).await;
        let thread = thread.map_err(|_| hangs())?.map_err(|_| hangs())?;
        let folder = self.clone();
        let work = move || {
            let _thread = thread;
            work(&folder)
        };
        let done = tokio::task::spawn_blocking(work).await.map_err(Error::from);
        done.flatten().map_err(|cause| StoreError::Folder { path: self.path.clone(), cause })
    }

    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(self.make()?)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let path = self.path.join(name);
        file.persist(&path).map_err(Error::from)?;
        sync_folder(&path)
    }

    pub(super) fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        if_there(std::fs::read(self.path.join(name)))
    }

    pub(super) fn written_at(&self, name: &str) -> Result<Option<Moment>> {
        let data = if_there(std::fs::metadata(self.path.join(name)))?;
        data.map(|data| data.modified().and_then(moment)).transpose()
    }

    pub(super) fn remove(&self, name: &str) -> Result<()> {
        if_there(std::fs::remove_file(self.path.join(name))).map(drop)
    }

    pub(super) fn list(&self) -> Result<Vec<StoredFile>> {
        let Some(entries) = if_there(std::fs::read_dir(&self.path))? else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            // Another server may have removed it.
            let Some(data) = if_there(entry.metadata())? else { continue };
            let Ok(name) = entry.file_name().into_string() else { continue };
            if data.is_file() {
                let (is_complete, written_at) = (!name.starts_with(PARTIAL), moment(data.modified()?)?);
                files.push(StoredFile { name, is_complete, written_at });
            }
        }
        Ok(files)
    }
}

/// What was found; `None` if it does not exist.
fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

fn moment(time: SystemTime) -> Result<Moment> {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since.as_millis()).ok().and_then(Moment::from_millis);
    millis.ok_or_else(|| Error::new(ErrorKind::InvalidData, "a file was written after the year 9999"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;
    use crate::low_priority::LowPriority;

    #[test]
    fn files_are_private_and_complete_once_they_have_their_names() {
        let parent = tempfile::tempdir().unwrap();
        let folder = FolderFiles::at(parent.path().join("images"));
        assert_eq!((folder.list().unwrap(), folder.get("a").unwrap()), (vec![], None));
        folder.remove("a").unwrap();
        folder.put("a", b"one").unwrap();
        folder.put("a", b"one").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(folder.path()), mode(&folder.path().join("a"))), (0o700, 0o600));
        std::fs::write(folder.path().join("partial-x"), "").unwrap();
        let mut listed = folder.list().unwrap();
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        let seen: Vec<_> = listed.iter().map(|file| (file.name.as_str(), file.is_complete)).collect();
        assert_eq!(seen, [("a", true), ("partial-x", false)]);
        assert_eq!(folder.get("a").unwrap().as_deref(), Some(&b"one"[..]));
        assert_eq!(folder.written_at("a").unwrap(), Some(listed[0].written_at));
        folder.remove("a").unwrap();
        assert_eq!(folder.written_at("a").unwrap(), None);
    }
    #[tokio::test]
    async fn a_folder_that_hangs_leaves_threads_for_other_work() {
        let parent = tempfile::tempdir().unwrap();
        let pipe = parent.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (folder, threads) = (FolderFiles::at(parent.path().to_owned()), LowPriority::start().unwrap());
        let mut reads: Vec<_> = (0..20)
            .map(|_| {
                let folder = folder.clone();
                // Nothing writes to the pipe.
                Box::pin(threads.run(async move { folder.blocking(|folder| folder.get("pipe")).await }))
            })
            .collect();
        for read in &mut reads {
            assert!(futures::poll!(read).is_pending());
        }
        while folder.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        drop(reads);
        let other = tokio::time::timeout(Duration::from_secs(5), threads.run_blocking(|| 1)).await;
        assert_eq!(other.expect("a free thread").unwrap(), 1);
        // Ends the reads.
        drop(std::fs::OpenOptions::new().write(true).open(&pipe).unwrap());
    }
}
