//! `farthing verify`

use std::path::Path;

use super::super::{dump, images};
use super::RestoreError;
use crate::needed_images::NeededImagesOf;
use platform::db::copy;

/// A backup that was read in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// A SQLite database, with this many files of pictures.
    Copy { files: usize },
    /// A dump of PostgreSQL. Which pictures it needs is not known before it is restored.
    Dump,
}

/// Checks a backup in full: its database, and the pictures that its items need.
pub async fn verify(backup: &Path, needed_images: NeededImagesOf) -> Result<Verified, RestoreError> {
    if dump::is_dump(backup) {
        dump::check(backup).await?;
        return Ok(Verified::Dump);
    }
    let path = backup.to_owned();
    let checked = tokio::task::spawn_blocking(move || copy::check(&path)).await;
    checked.map_err(|_| RestoreError::TaskEnded)??;
    let needed = needed_images(backup.to_owned()).await?;
    images::require_whole(backup, &needed, None).await?;
    Ok(Verified::Copy { files: needed.names.len() })
}
