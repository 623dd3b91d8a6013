//! `farthing verify`

use std::path::Path;

use super::super::images;
use super::RestoreError;
use crate::needed_images::NeededImagesOf;
use platform::db::copy;

/// Checks a backup in full: its database, and the pictures that its items need. Returns how many files of
/// pictures these are.
pub async fn verify(backup: &Path, needed_images: NeededImagesOf) -> Result<usize, RestoreError> {
    let path = backup.to_owned();
    let checked = tokio::task::spawn_blocking(move || copy::check(&path)).await;
    checked.map_err(|_| RestoreError::TaskEnded)??;
    let needed = needed_images(backup.to_owned()).await?;
    images::require_whole(backup, &needed, None).await?;
    Ok(needed.names.len())
}
