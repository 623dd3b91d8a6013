//! `farthing restore`

use std::path::{Path, PathBuf};

use super::super::dump;
use super::super::images::{self, ImagesError};
use super::error::{RestoreError, lock_installation, settle_failed_update};
use super::request::{self, Outcome, RestoreRequest};
use crate::config::Settings;
use crate::needed_images::NeededImagesOf;
use platform::db::copy;
use platform::files::with_suffix;
use platform::time::Clock;

/// Replaces the database of `settings`, which no server may use and which need not exist, with the copy
/// `from`. Returns where the replaced database is kept. `needed_images` finds the pictures that the copy has
/// to have; without it any may be missing.
pub async fn restore(
    settings: &Settings,
    from: &Path,
    clock: &dyn Clock,
    needed_images: Option<NeededImagesOf>,
) -> Result<Option<PathBuf>, RestoreError> {
    if dump::is_dump(from) {
        return Err(RestoreError::Dump(from.to_owned()));
    }
    let database = copy::file_of(&settings.database_url)?;
    // Before anything is created.
    copy::check(from)?;
    let lock = lock_installation(settings)?;
    // Those of the replaced database stay with it, and those of the backup come first: a picture without an
    // item does no harm.
    let kept = with_suffix(&database, copy::REPLACED);
    let store = settings.image_store().map_err(ImagesError::from)?;
    let needed = match needed_images {
        Some(needed_images) => Some(needed_images(from.to_owned()).await?),
        None => None,
    };
    if let Some(needed) = &needed {
        images::require_whole(from, needed, Some(&store)).await?;
    }
    if database.exists() {
        images::save(&store, &kept).await?;
    }
    images::bring_back(from, &store).await?;
    if let Some(needed) = &needed {
        images::repair(from, needed, &store).await?;
    }
    let replaced = copy::restore(from, &database).await?;
    settle_failed_update(&lock, settings, &from.display().to_string())?;
    // The next server writes this to the audit log.
    let done = RestoreRequest {
        backup: from.display().to_string(),
        requested_by: None,
        requested_at_millis: clock.now().millis(),
        replaced: None,
        outcome: Some(Outcome::Restored),
    };
    request::write(&lock, &settings.data_dir, &done)?;
    Ok(replaced)
}
