//! `farthing health`: the health check of a container, which has no other program for it.

use std::path::PathBuf;

use installation::config::Settings;
use installation::supervisor::{FindError, find_running};
use installation::updates::{self, answers};

/// Why it failed, in one line.
#[derive(Debug, thiserror::Error)]
pub enum HealthCommandError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error("no server with the data folder `{0}` runs")]
    NotRunning(PathBuf),
    #[error(transparent)]
    Unhealthy(#[from] updates::HealthError),
}

/// Fails unless the server with this data folder answers. Unlike the other commands it needs no file of the
/// owner but `server.json`, because a container may run as any user.
#[expect(clippy::print_stdout, reason = "the command reports its result")]
pub async fn health(settings: &Settings) -> Result<(), HealthCommandError> {
    let server = find_running(&settings.data_dir).await?;
    answers(&server.ok_or_else(|| HealthCommandError::NotRunning(settings.data_dir.clone()))?).await?;
    println!("ok");
    Ok(())
}
