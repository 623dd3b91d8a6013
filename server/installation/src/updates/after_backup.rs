//! The hooks of `update.toml` that follow a backup of the schedule, such as one that uploads it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::config::{Config, Hook, Place};
use crate::Installation;
use crate::command::{Discard, Task};
use crate::config::command_environment;
use crate::supervisor::binary;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the hooks one after the other, in the installation, with the path of the backup in `FARTHING_BACKUP`.
/// The error says which has failed and why; those after it are not run.
pub async fn after_scheduled_backup(installation: Arc<Installation>, backup: PathBuf) -> Result<(), String> {
    let folder = &installation.settings.install_dir;
    let config = Config::read(folder).map_err(|error| error.to_string())?;
    let limit = Duration::from_secs(config.limits.step_timeout_seconds);
    // Without a supervisor this process need not be the binary of Farthing.
    let guard = if installation.control.is_supervised() { binary::own().ok() } else { None };
    for hook in config.hooks.iter().filter(|hook| hook.place == Place::AfterScheduledBackup) {
        let Some(task) = task(hook, folder, &backup) else { continue };
        let done = task.guarded_by(guard.as_deref()).run(limit, &mut Discard).await;
        done.map_err(|error| format!("The hook `{}` failed: {error}", hook.name))?;
        tracing::info!("ran the hook `{}` after the backup of the schedule", hook.name);
    }
    Ok(())
}

fn task(hook: &Hook, folder: &Path, backup: &Path) -> Option<Task> {
    let (program, arguments) = hook.command.split_first()?;
    let own = [
        ("FARTHING_BACKUP", backup.as_os_str()),
        ("FARTHING_INSTALL_DIR", folder.as_os_str()),
        ("FARTHING_VERSION", VERSION.as_ref()),
    ];
    let task = Task::new(program, folder).arguments(arguments).environment(command_environment());
    Some(task.environment(own.map(|(name, value)| (name.into(), value.to_owned()))))
}
