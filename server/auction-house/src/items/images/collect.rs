//! Removes files that no item refers to: those of removed images, of deleted items, and of uploads that were
//! refused or interrupted. Every server runs the collection.

use std::collections::HashSet;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::images::{Content, Images};
use crate::items::store::images::contents;
use platform::db::{Connection, Database, DbError};
use platform::file_store::{Claim, Claimed, StoreError, StoredFile};
use platform::log_field::logged;
use platform::time::{Clock, Moment};

/// How often the collection runs.
const INTERVAL: Duration = Duration::from_secs(3600);
/// A file is at least so old before it is removed: its upload may not be committed yet. A copy of the
/// database and of the files takes less, too.
const AGE_MIN_SECONDS: i64 = 6 * 3600;

/// Why files were not collected. The next round continues.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't list or remove the files of images: {0}")]
    Store(#[from] StoreError),
    /// The files that another database does not refer to may be those of its own items.
    #[error("the store of pictures belongs to another installation")]
    OtherOwner,
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
                Err(CollectError::OtherOwner) => warn(Claim::Foreign),
                Err(CollectError::Db(error)) if error.is_busy() || error.is_conflict() => {}
                Err(error) => {
                    let error = logged(&error);
                    tracing::error!(error, "can't collect the files of images");
                }
            }
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Removes the old files that no item refers to, and returns how many these were: none while another database
/// uses the store, too.
///
/// # Errors
/// The store belongs to another database: nothing is removed.
pub async fn collect(db: &Database, images: &Images, now: Moment) -> Result<usize, CollectError> {
    match claim(db, images).await?.claim {
        Claim::Own => {}
        // A file that this database does not refer to may be one of the other.
        Claim::Shared => {
            warn(Claim::Shared);
            return Ok(0);
        }
        Claim::Foreign => return Err(CollectError::OtherOwner),
    }
    // The files are listed before the references are read: a new reference is to a file that is new, or was
    // listed with one.
    let listed = images.store().list().await?;
    let old: Vec<StoredFile> = listed.into_iter().filter(|file| is_old(file.written_at, now)).collect();
    if old.is_empty() {
        return Ok(0);
    }
    let referenced = referenced(&mut db.read().await?).await?;
    let mut removed = 0;
    for file in old.iter().filter(|file| is_unused(file, &referenced)) {
        removed += usize::from(remove_if_old(images, &file.name, now).await?);
    }
    Ok(removed)
}

/// Says that this database uses the store. A store without an owner belongs to it from now on.
pub async fn claim(db: &Database, images: &Images) -> Result<Claimed, CollectError> {
    let own = db.identity().await?;
    let claimed = images.store().claim(&own.name, own.replaces.as_deref()).await?;
    if own.replaces.is_some() && claimed.claim != Claim::Foreign {
        db.has_taken_over().await?;
    }
    images.has_claimed(claimed.clone());
    Ok(claimed)
}

/// Warns if another database uses the store.
pub fn warn(claim: Claim) {
    if let Some(warning) = claim.warning() {
        tracing::warn!("{warning}");
    }
}

/// Files of other names are not of images.
fn is_unused(file: &StoredFile, referenced: &HashSet<Content>) -> bool {
    !file.is_complete || Content::of_file(&file.name).is_some_and(|content| !referenced.contains(&content))
}

/// The contents of the images of all items.
pub async fn referenced(conn: &mut Connection) -> Result<HashSet<Content>, DbError> {
    let (mut all, mut after) = (HashSet::new(), None);
    loop {
        let (found, last) = contents(conn, after).await?;
        all.extend(found);
        after = last;
        if after.is_none() {
            return Ok(all);
        }
    }
}

fn is_old(written_at: Moment, now: Moment) -> bool {
    written_at.plus_seconds(AGE_MIN_SECONDS) < now
}

/// Removes a file unless it was written again since it was listed, for another upload of the same picture.
/// The lock keeps it from being written between the check and the removal.
async fn remove_if_old(images: &Images, name: &str, now: Moment) -> Result<bool, CollectError> {
    let _guard = images.lock_removal().await?;
    match images.store().written_at(name).await? {
        Some(written_at) if is_old(written_at, now) => {
            images.store().remove(name).await?;
            Ok(true)
        }
        // Another server may have removed it.
        _ => Ok(false),
    }
}
