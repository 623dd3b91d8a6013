//! The restart into the new release, as `update.toml` configures it.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;

use super::config::{Arguments, Restart};
use crate::Installation;
use crate::config::{Settings, command_environment};
use crate::control::ControlError;
use crate::supervisor::restart_running;

/// The maximum time to wait for a restart command.
const COMMAND_MAX: Duration = Duration::from_secs(60);

/// The result of a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restarted {
    /// This server will be stopped, and the next one continues the run.
    Begun,
    /// The new release runs after the operator's next start.
    LeftToOperator,
}

/// Why there is no restart, for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    #[error(transparent)]
    Control(#[from] ControlError),
    #[error("`{command}` can't be run: {cause}")]
    Start { command: String, cause: std::io::Error },
    #[error("`{command}` failed with {status}")]
    Failed { command: String, status: std::process::ExitStatus },
}

/// Begins the restart. `installation` is that of the server in which the update runs; `None` in a shell.
pub async fn restart(
    installation: Option<&Arc<Installation>>,
    settings: &Settings,
    restart: &Restart,
) -> Result<Restarted, RestartError> {
    match restart {
        Restart::None => Ok(Restarted::LeftToOperator),
        Restart::SelfManaged => match installation {
            Some(installation) => Ok(installation.control.restart().map(|()| Restarted::Begun)?),
            None => match restart_running(&settings.data_dir) {
                // No server runs: the next start is that of the new release.
                Err(ControlError::None) => Ok(Restarted::LeftToOperator),
                requested => Ok(requested.map(|()| Restarted::Begun)?),
            },
        },
        Restart::Systemd { unit } => {
            let command = ["systemctl", "restart", "--no-block", "--", unit].map(str::to_owned);
            run(settings, &command.to_vec()).await
        }
        Restart::Command { command } => run(settings, command).await,
    }
}

/// Runs a restart command, which may outlive this process.
async fn run(settings: &Settings, command: &Arguments) -> Result<Restarted, RestartError> {
    let shown = command.join(" ");
    let mut words = command.iter();
    let mut child = Command::new(words.next().map_or("", String::as_str))
        .args(words)
        .current_dir(&settings.install_dir)
        .env_clear()
        .envs(command_environment())
        .env("FARTHING_INSTALL_DIR", &settings.install_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|cause| RestartError::Start { command: shown.clone(), cause })?;
    match tokio::time::timeout(COMMAND_MAX, child.wait()).await {
        Ok(Ok(status)) if !status.success() => Err(RestartError::Failed { command: shown, status }),
        Ok(Err(cause)) => Err(RestartError::Start { command: shown, cause }),
        Ok(Ok(_)) | Err(_) => Ok(Restarted::Begun),
    }
}
