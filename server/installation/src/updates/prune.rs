//! What an update leaves behind for the next one: the release that runs, the one before, and the last few backups.

use std::path::Path;

use super::git::Checkout;
use super::journal::Way;
use super::steps::{CURRENT, RELEASES};
use crate::backups::create;
use crate::config::{Settings, environment_of_commands};
use crate::releases::Tag;

/// What can't be taken away stays until the next update.
pub async fn prune(settings: &Settings, way: &Way) {
    if let Err(error) = create::prune(settings) {
        tracing::warn!(error = &error as &dyn std::error::Error, "old backups stay");
    }
    if let Err(error) = releases(way).await {
        tracing::warn!(error, "old releases stay");
    }
}

async fn releases(way: &Way) -> Result<(), String> {
    let folder = way.install_dir.join(RELEASES);
    let current = std::fs::read_link(way.install_dir.join(CURRENT)).ok();
    let kept = [current.as_deref(), way.previous.as_deref()].map(|path| path.and_then(Path::file_name));
    let checkout = Checkout::open(&way.install_dir, environment_of_commands()).await;
    let checkout = checkout.map_err(|error| error.to_string())?;
    for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        // What has another name is not the update's.
        let is_release = name.to_str().is_some_and(|name| name.parse::<Tag>().is_ok());
        if is_release && !kept.contains(&Some(name.as_os_str())) {
            checkout.forget(&folder.join(name)).await.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
