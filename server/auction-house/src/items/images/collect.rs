//! Removes files that no item refers to: those of removed images, of deleted items, and of uploads that were refused or
//! interrupted. Every server runs the collection.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::images::folder::KeptFile;
use crate::images::{Content, Images};
use crate::items::store::images::contents;
use platform::db::{Database, DbError};
use platform::time::{Clock, Moment};

/// How often the collection runs.
const INTERVAL: Duration = Duration::from_secs(3600);
/// A file is at least so old before it is removed: its upload may not be committed yet. A copy of the database and of the folder
/// takes less, too.
const AGE_MIN_SECONDS: i64 = 6 * 3600;

/// Why files were not collected. The next round continues.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't read or remove the files of images: {0}")]
    Folder(#[from] io::Error),
}

/// Collects files every hour, until `stopping`.
pub async fn run(
    db: Database,
    images: Images,
    clock: std::sync::Arc<dyn Clock>,
    stopping: CancellationToken,
) {
    let work = async {
        loop {
            tokio::time::sleep(INTERVAL).await;
            match collect(&db, &images, clock.now()).await {
                Ok(0) => {}
                Ok(files) => tracing::info!(files, "removed files of images that no item has any more"),
                Err(CollectError::Db(error)) if error.is_busy() || error.is_conflict() => {}
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::error!(error, "can't collect the files of images");
                }
            }
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Removes the old files that no item refers to, and returns how many these were.
pub async fn collect(db: &Database, images: &Images, now: Moment) -> Result<usize, CollectError> {
    let folder = images.folder().clone();
    let listed = tokio::task::spawn_blocking(move || folder.files()).await.map_err(io::Error::from)?;
    // The files are listed before the references are read: a new reference is to a file that is new, or was listed with one.
    let old: Vec<KeptFile> = listed?.into_iter().filter(|file| is_old(file, now)).collect();
    if old.is_empty() {
        return Ok(0);
    }
    let referenced = referenced(db).await?;
    let is_referenced = |file: &KeptFile| file.content.as_ref().is_some_and(|it| referenced.contains(it));
    let unused: Vec<KeptFile> = old.into_iter().filter(|file| !is_referenced(file)).collect();
    let removed = tokio::task::spawn_blocking(move || remove(&unused, now)).await.map_err(io::Error::from)?;
    Ok(removed?)
}

async fn referenced(db: &Database) -> Result<HashSet<Content>, DbError> {
    let mut conn = db.read().await?;
    let (mut all, mut after) = (HashSet::new(), None);
    loop {
        let (found, last) = contents(&mut conn, after).await?;
        all.extend(found);
        after = last;
        if after.is_none() {
            return Ok(all);
        }
    }
}

fn is_old(file: &KeptFile, now: Moment) -> bool {
    let since = file.written_at.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    millis.saturating_add(AGE_MIN_SECONDS * 1000) < now.millis()
}

/// A file that was written again since it was listed stays: an upload of the same picture is under way.
fn remove(unused: &[KeptFile], now: Moment) -> io::Result<usize> {
    let mut removed = 0;
    for file in unused {
        match std::fs::metadata(&file.path).and_then(|data| data.modified()) {
            Ok(written_at)
                if is_old(&KeptFile { path: file.path.clone(), content: None, written_at }, now) =>
            {
                std::fs::remove_file(&file.path)?;
                removed += 1;
            }
            Ok(_) => {}
            // Another server has removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}
