//! `farthing update` and `farthing rollback`.

use std::sync::Arc;
use std::time::Duration;

use installation::journal::{JournalError, Run, RunFeed, RunStatus, Step, StepStatus};
use installation::shell::Shell;
use installation::updates::{Caller, Ended, StartError, Target, Update};
use platform::db::{Database, DbError, OpenError};
use tokio::sync::watch;

/// The time to print the last steps of a finished run.
const PRINT_MAX: Duration = Duration::from_secs(1);
/// The time for the restart, in addition to the timeout of the health check.
const RESTART_MAX: Duration = Duration::from_secs(90);

/// Why the update failed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("a server with another data folder uses the database `{0}`: name that folder with --data-dir")]
    ServedElsewhere(String),
    #[error("can't read the database's clock: {0}")]
    Clock(#[from] DbError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the update was rolled back: {0}")]
    RolledBack(String),
    #[error("the update failed: {0}")]
    Failed(String),
    #[error("the server has not reported the end of the update: see its log")]
    NoReport,
}

/// Performs the run in this process, prints its steps, and waits for its end, also if the next server
/// finishes it.
pub async fn update(Shell { settings, server }: Shell, target: Target) -> Result<(), UpdateError> {
    let db = match server {
        Some(_) => Database::open_existing(&settings.database_url).await?,
        None => open_alone(&settings.database_url).await?,
    };
    let clock = db.clock().await?;
    let feed = RunFeed::new(settings.data_dir.clone());
    let update =
        Update::begin(settings, db.clone(), clock, Arc::clone(&feed), target, Caller::shell()).await?;
    let restart_max = update.health_timeout() + update.observe_time() + RESTART_MAX;
    let printer = tokio::spawn(print_steps(feed.subscribe().await?));
    let ended = update.perform(None).await;
    let limit = match ended {
        Ended::Finished(_) => PRINT_MAX,
        Ended::Restarting => restart_max,
    };
    let printed = tokio::time::timeout(limit, printer).await;
    db.close().await;
    match ended {
        Ended::Finished(run) => report(run),
        Ended::Restarting => match printed {
            Ok(Ok(Some(run))) => report(run),
            _ => Err(UpdateError::NoReport),
        },
    }
}

/// Opens the database of an installation without a running server. A server that uses the database must have
/// another data folder, with a journal of its own.
async fn open_alone(address: &str) -> Result<Database, UpdateError> {
    Database::require_existing(address).await?;
    match Database::open(address).await {
        Err(OpenError::Taken(database)) => Err(UpdateError::ServedElsewhere(database)),
        opened => Ok(opened?),
    }
}

/// Prints each step as it ends. Returns the run when it has finished.
#[expect(clippy::print_stdout, reason = "the command reports its progress")]
async fn print_steps(mut runs: watch::Receiver<Option<Run>>) -> Option<Run> {
    let is_over = |step: &&Step| !matches!(step.status, StepStatus::Pending | StepStatus::Running);
    let mut printed = 0;
    loop {
        let run = runs.borrow_and_update().clone()?;
        for step in run.steps.iter().take_while(is_over).skip(printed) {
            printed += 1;
            let reason = step.reason.as_deref().unwrap_or_default();
            match step.status {
                StepStatus::Done => println!("{}: done", step.name),
                StepStatus::Skipped => println!("{}: skipped, {reason}", step.name),
                _ => {
                    println!("{}: failed, {reason}", step.name);
                    print!("{}", step.output);
                }
            }
        }
        if run.is_finished() {
            return Some(run);
        }
        runs.changed().await.ok()?;
    }
}

#[expect(clippy::print_stdout, reason = "the command reports its result")]
fn report(run: Run) -> Result<(), UpdateError> {
    let reason = run.reason.unwrap_or_default();
    match run.status {
        RunStatus::RolledBack => return Err(UpdateError::RolledBack(reason)),
        RunStatus::Failed => return Err(UpdateError::Failed(reason)),
        RunStatus::Running => return Err(UpdateError::NoReport),
        RunStatus::NothingToDo => println!("{} is the latest release: {reason}", run.from_version),
        RunStatus::Succeeded => {
            let version = run.to_version.unwrap_or_default();
            println!("updated to {version}{}{reason}", if reason.is_empty() { "" } else { ": " });
        }
    }
    Ok(())
}
