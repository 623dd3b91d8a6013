//! The start of the new release, by whom `update.toml` says.

use std::sync::Arc;

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::config::{Arguments, Restart};
use crate::Installation;
use crate::config::{Settings, environment_of_commands};
use crate::supervisor::{ControlError, restart_running};

/// How long a command may take to begin with it.
const BEGIN_MAX: Duration = Duration::from_secs(60);

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restarted {
    /// This server is told to stop, and the new one goes on.
    Coming,
    /// The new release runs when somebody starts it.
    LeftToOthers,
}

/// Why there is no restart, in words for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    #[error(transparent)]
    Control(#[from] ControlError),
    #[error("`{command}` can't be run: {cause}")]
    Start { command: String, cause: std::io::Error },
    #[error("`{command}` failed with {status}")]
    Failed { command: String, status: std::process::ExitStatus },
}

/// Begins the restart. `installation`: of the server in which the update runs; nothing in a shell.
pub async fn restart(
    installation: Option<&Arc<Installation>>,
    settings: &Settings,
    restart: &Restart,
) -> Result<Restarted, RestartError> {
    match restart {
        Restart::None => Ok(Restarted::LeftToOthers),
        Restart::SelfManaged => match installation {
            Some(installation) => Ok(installation.control.restart().map(|()| Restarted::Coming)?),
            None => match restart_running(&settings.data_dir) {
                // No server runs: whoever starts one starts the new release.
                Err(ControlError::None) => Ok(Restarted::LeftToOthers),
                told => Ok(told.map(|()| Restarted::Coming)?),
            },
        },
        Restart::Systemd { unit } => {
            let command = ["systemctl", "restart", "--no-block", "--", unit].map(str::to_owned);
            run(settings, &command.to_vec()).await
        }
        Restart::Command { command } => run(settings, command).await,
    }
}

/// Without an end by this process: the command may outlive it.
async fn run(settings: &Settings, command: &Arguments) -> Result<Restarted, RestartError> {
    let shown = command.join(" ");
    let mut words = command.iter();
    let mut child = Command::new(words.next().map_or("", String::as_str))
        .args(words)
        .current_dir(&settings.install_dir)
        .env_clear()
        .envs(environment_of_commands())
        .env("FARTHING_INSTALL_DIR", &settings.install_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|cause| RestartError::Start { command: shown.clone(), cause })?;
    match tokio::time::timeout(BEGIN_MAX, child.wait()).await {
        Ok(Ok(status)) if !status.success() => Err(RestartError::Failed { command: shown, status }),
        Ok(Err(cause)) => Err(RestartError::Start { command: shown, cause }),
        Ok(Ok(_)) | Err(_) => Ok(Restarted::Coming),
    }
}
