//! The Deployment Admin requests a restoration on the page.

use std::time::Duration;

use super::super::folder::{BackupFormat, folder, list};
use super::super::images::{self, ImagesError};
use super::error::{RestoreError, lock_installation};
use super::request::{self, Requester, RestoreRequest};
use crate::Installation;
use crate::ids::UserId;
use accounts::user::store::user_by_id;
use platform::db::copy;

/// The maximum time until this server is told to stop.
const STOP_MAX: Duration = Duration::from_secs(10);
/// The time in which this server then closes idle connections.
const CLOSE_IDLE: Duration = Duration::from_millis(300);

/// Requests that the next server restores the backup of this name, and restarts the server. Returns when this
/// server accepts no more requests. A damaged backup is refused before.
pub async fn request_restore(
    installation: &Installation,
    user: UserId,
    name: &str,
) -> Result<(), RestoreError> {
    let settings = &installation.settings;
    copy::file_of(&settings.database_url)?;
    let backups = list(settings)?;
    let chosen = backups
        .into_iter()
        .find(|file| file.name == name && file.format == BackupFormat::Copy)
        .ok_or(RestoreError::NoSuchBackup)?;
    let user = user_by_id(&mut installation.db.read().await?, user).await?;
    let path = folder(settings)?.join(&chosen.name);
    let checked_path = path.clone();
    let checked = tokio::task::spawn_blocking(move || copy::check(&checked_path)).await;
    checked.map_err(|_| RestoreError::TaskEnded)??;
    let needed = (installation.needed_images)(path.clone()).await?;
    let store = settings.image_store().map_err(ImagesError::from)?;
    images::require_whole(&path, &needed, Some(&store)).await?;
    let request = RestoreRequest {
        backup: chosen.name,
        requested_by: user.map(|user| Requester { id: user.id, name: user.name }),
        requested_at_millis: installation.clock.now().millis(),
        replaced: None,
        outcome: None,
    };
    let lock = lock_installation(settings)?;
    request::write(&lock, &settings.data_dir, &request)?;
    if let Err(error) = installation.control.restart() {
        request::remove(&lock, &settings.data_dir)?;
        return Err(error.into());
    }
    drop(lock);
    // The answer redirects to a page, which the next server has to render.
    if tokio::time::timeout(STOP_MAX, installation.stopping.cancelled()).await.is_ok() {
        tokio::time::sleep(CLOSE_IDLE).await;
    }
    Ok(())
}
