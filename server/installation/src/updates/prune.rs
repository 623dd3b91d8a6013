//! Cleanup after a run. The current release, the previous one and the newest backups stay.

use std::path::Path;

use super::git::remove_release;
use super::layout::{CURRENT, RELEASES};
use crate::backups::folder::{self, BackupKind};
use crate::config::Settings;
use crate::journal::RollbackPlan;
use crate::releases::Tag;
use platform::log_field::logged;

/// Failures are logged, and the next update tries again.
pub async fn prune(settings: &Settings, plan: &RollbackPlan) {
    if let Err(error) = folder::prune(settings, BackupKind::Limited) {
        tracing::warn!(error = logged(&error), "can't remove old backups");
    }
    if let Err(error) = prune_releases(plan).await {
        tracing::warn!(error, "can't remove old releases");
    }
}

async fn prune_releases(plan: &RollbackPlan) -> Result<(), String> {
    let folder = plan.install_dir.join(RELEASES);
    let current = std::fs::read_link(plan.install_dir.join(CURRENT)).ok();
    let kept = [current.as_deref(), plan.previous.as_deref()].map(|path| path.and_then(Path::file_name));
    for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        // Folders with other names do not belong to the update.
        let is_release = name.to_str().is_some_and(|name| name.parse::<Tag>().is_ok());
        if is_release && !kept.contains(&Some(name.as_os_str())) {
            let removed = remove_release(&plan.install_dir, &folder.join(name)).await;
            removed.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
