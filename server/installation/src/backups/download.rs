//! A backup with its pictures as one stream, in the format of `tar`: unpacked, it is the backup again.

use std::io::{BufWriter, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::Stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::folder::{FolderError, folder, list};
use super::images;
use crate::Installation;
use crate::ids::UserId;
use accounts::audit::{self, AuditAction};
use platform::db::DbError;
use platform::log_field::logged;

/// Bytes that are read at once, and parts that wait for the client.
const PART: usize = 256 * 1024;
const PARTS_MAX: usize = 4;

/// Nothing is sent.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("this backup is no longer there")]
    NoSuchBackup,
    #[error("another backup is being downloaded")]
    Busy,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The backup of this name as a stream. What the user takes away is in the audit log.
pub async fn download(
    installation: &Installation,
    user: UserId,
    name: &str,
) -> Result<impl Stream<Item = Result<Vec<u8>, Error>> + Send + use<>, DownloadError> {
    let folder = folder(&installation.settings)?;
    let chosen = list(&installation.settings)?.into_iter().find(|file| file.name == name);
    let chosen = chosen.ok_or(DownloadError::NoSuchBackup)?;
    let permit = Arc::clone(&installation.downloads).try_acquire_owned();
    let permit = permit.map_err(|_| DownloadError::Busy)?;
    let mut transaction = installation.db.write().await?;
    let action = AuditAction::BackupDownloaded(chosen.name.clone());
    audit::record(&mut transaction, installation.clock.now(), Some(user), &action).await?;
    transaction.commit().await?;
    Ok(parts(folder.join(chosen.name), permit))
}

/// The parts of the archive, which a thread for work that blocks writes as the client takes them.
fn parts(backup: PathBuf, permit: OwnedSemaphorePermit) -> impl Stream<Item = Result<Vec<u8>, Error>> + Send {
    let (sender, receiver) = mpsc::channel(PARTS_MAX);
    tokio::task::spawn_blocking(move || {
        let mut to = BufWriter::with_capacity(PART, Parts(sender.clone()));
        let written = write(&backup, &mut to).and_then(|()| to.flush());
        // The client has gone, or learns by a broken answer that the archive is not complete.
        if let Err(error) = written {
            let is_gone = error.kind() == ErrorKind::BrokenPipe;
            if !is_gone {
                tracing::error!(error = logged(&error), "can't send a backup");
            }
            let _ = sender.blocking_send(Err(error));
        }
        drop(permit);
    });
    futures::stream::unfold(receiver, async |mut receiver: Receiver<_>| {
        receiver.recv().await.map(|part| (part, receiver))
    })
}

fn write(backup: &Path, to: &mut impl Write) -> std::io::Result<()> {
    let mut archive = tar::Builder::new(to);
    let name = backup.file_name().unwrap_or_default();
    archive.append_path_with_name(backup, name)?;
    let pictures = images::folder_of(backup);
    let folder = Path::new(pictures.file_name().unwrap_or_default());
    for (name, file) in images::complete_files(&pictures)? {
        archive.append_path_with_name(file, folder.join(name))?;
    }
    archive.finish()
}

/// Passes what is written on to the client, and waits for it.
struct Parts(Sender<Result<Vec<u8>, Error>>);

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let sent = self.0.blocking_send(Ok(bytes.to_vec()));
        sent.map(|()| bytes.len()).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn the_archive_has_the_backup_and_its_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let backup = folder.path().join("kept_20260501_080907.db");
        std::fs::write(&backup, vec![7; 3 * PART]).unwrap();
        std::fs::create_dir(images::folder_of(&backup)).unwrap();
        std::fs::write(images::folder_of(&backup).join("a.full.jpg"), "picture").unwrap();
        let permits = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&permits).try_acquire_owned().unwrap();
        let sent: Vec<Vec<u8>> = Box::pin(parts(backup, permit)).try_collect().await.unwrap();
        let unpacked = tempfile::tempdir().unwrap();
        tar::Archive::new(sent.concat().as_slice()).unpack(unpacked.path()).unwrap();
        let name = unpacked.path().join("kept_20260501_080907.db");
        assert_eq!(std::fs::read(&name).unwrap().len(), 3 * PART);
        assert_eq!(std::fs::read(images::folder_of(&name).join("a.full.jpg")).unwrap(), b"picture");
        assert_eq!(permits.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_client_that_goes_ends_it_and_a_missing_file_breaks_it() {
        let folder = tempfile::tempdir().unwrap();
        let backup = folder.path().join("large.db");
        let permits = Arc::new(Semaphore::new(1));
        let begin = async |path: &Path| {
            let permit = Arc::clone(&permits).acquire_owned().await.unwrap();
            Box::pin(parts(path.to_owned(), permit))
        };
        assert!(begin(&backup).await.try_collect::<Vec<Vec<u8>>>().await.is_err());
        std::fs::write(&backup, vec![7; 20 * PART]).unwrap();
        drop(begin(&backup).await);
        let _again = permits.acquire().await.unwrap();
    }
}
