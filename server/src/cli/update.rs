//! `farthing update` and `farthing rollback`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use installation::ids::RunId;
use installation::journal::{JournalError, Run, RunFeed, RunStatus, Step, StepStatus};
use installation::shell::Shell;
use installation::supervisor::find_running;
use installation::updates::{AskError, Caller, Ended, RunTarget, StartError, Update, ask};
use platform::db::{Database, DbError, OpenError};
use tokio::sync::watch;

/// The time to print the last steps of a finished run.
const PRINT_MAX: Duration = Duration::from_secs(1);
/// The time for the restart, in addition to the timeout of the health check.
const RESTART_MAX: Duration = Duration::from_secs(90);

/// How often a shell looks for the server that performs a run.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);

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
    Ask(#[from] AskError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the update was rolled back: {0}")]
    RolledBack(String),
    #[error("the update failed: {0}")]
    Failed(String),
    #[error("the server has not reported the end of the update: see its log")]
    NoReport,
}

/// Asks the running server to perform the run, or else performs it in this process. Prints its steps, and
/// waits for its end, also if the next server finishes it.
pub async fn update(Shell { settings, server }: Shell, target: RunTarget) -> Result<(), UpdateError> {
    if server.is_some()
        && let Some(run) = ask(&settings.data_dir, target).await?
    {
        return follow(&settings.data_dir, run, target).await;
    }
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
        Ended::Finished(run) => report(run, target),
        Ended::Restarting => match printed {
            Ok(Ok(Some(run))) => report(run, target),
            _ => Err(UpdateError::NoReport),
        },
    }
}

/// Prints the steps of a run of the server until its end. A server that starts may have to finish it.
async fn follow(data_dir: &Path, run: RunId, target: RunTarget) -> Result<(), UpdateError> {
    let feed = RunFeed::new(data_dir.to_owned());
    let printer = print_steps(feed.subscribe().await?);
    let outage = async {
        let mut last_seen = Instant::now();
        while last_seen.elapsed() < RESTART_MAX {
            tokio::time::sleep(LOOK_INTERVAL).await;
            if !matches!(find_running(data_dir).await, Ok(None)) {
                last_seen = Instant::now();
            }
        }
    };
    tokio::select! {
        ended = printer => match ended {
            Some(ended) if ended.id == run => report(ended, target),
            _ => Err(UpdateError::NoReport),
        },
        () = outage => Err(UpdateError::NoReport),
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
fn report(run: Run, target: RunTarget) -> Result<(), UpdateError> {
    let reason = run.reason.unwrap_or_default();
    match run.status {
        RunStatus::RolledBack => return Err(UpdateError::RolledBack(reason)),
        RunStatus::Failed => return Err(UpdateError::Failed(reason)),
        RunStatus::Running => return Err(UpdateError::NoReport),
        RunStatus::NothingToDo => println!("{} is the latest release: {reason}", run.from_version),
        RunStatus::Succeeded => {
            let version = run.to_version.unwrap_or_default();
            let done = if target == RunTarget::Previous { "returned" } else { "updated" };
            println!("{done} to {version}{}{reason}", if reason.is_empty() { "" } else { ": " });
        }
    }
    Ok(())
}
