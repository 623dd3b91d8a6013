//! `farthing update`.

use std::path::PathBuf;
use std::time::Duration;

use installation::config::Settings;
use installation::updates::journal::{self, JournalError, Run, RunStatus, Step, StepStatus};
use installation::updates::run::{Ended, StartError, Update};
use platform::db::{Database, DbError, OpenError};

const LOOK_EVERY: Duration = Duration::from_millis(300);
/// Beyond the time that the new release has to become well.
const RESTART_MAX: Duration = Duration::from_secs(90);

/// Why the update came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    #[error(transparent)]
    Open(#[from] OpenError),
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
    #[error("the server has not said yet whether the new release is well: see its log")]
    NoWord,
}

/// Runs the update here, tells of its steps, and waits for its end, also when the server finishes it.
pub async fn update(settings: Settings) -> Result<(), UpdateError> {
    let db = Database::open_in_use(&settings.database_url).await?;
    let clock = db.clock().await?;
    let data_dir = settings.data_dir.clone();
    let update = Update::begin(settings, db.clone(), clock, None).await?;
    let wait = Duration::from_secs(update.health_timeout_seconds()) + RESTART_MAX;
    let teller = tokio::spawn(tell(data_dir, update.run().clone()));
    let ended = update.go(None).await;
    let limit = match ended {
        // What is left to be told is told.
        Ended::Finished(_) => 2 * LOOK_EVERY,
        Ended::Restarting => wait,
    };
    let told = tokio::time::timeout(limit, teller).await;
    db.close().await;
    match ended {
        Ended::Finished(run) => judge(run),
        Ended::Restarting => {
            let told = told.map_err(|_| UpdateError::NoWord)?;
            judge(told.map_err(|_| UpdateError::NoWord)??)
        }
    }
}

/// Tells of each step as it ends, until the run has finished.
#[expect(clippy::print_stdout, reason = "who started the update follows it")]
async fn tell(data_dir: PathBuf, begun: Run) -> Result<Run, JournalError> {
    let mut told = 0;
    loop {
        let run = match journal::read(&data_dir)? {
            Some(journal) if journal.run.id == begun.id => journal.run,
            _ => begun.clone(),
        };
        let is_over = |step: &&Step| !matches!(step.status, StepStatus::Pending | StepStatus::Running);
        for step in run.steps.iter().take_while(is_over).skip(told) {
            told += 1;
            match (&step.status, &step.reason) {
                (StepStatus::Done, _) => println!("{}: done", step.name),
                (StepStatus::Skipped, reason) => {
                    println!("{}: skipped, {}", step.name, reason.as_deref().unwrap_or_default());
                }
                (_, reason) => {
                    println!("{}: failed, {}", step.name, reason.as_deref().unwrap_or_default());
                    print!("{}", step.output);
                }
            }
        }
        if run.is_finished() {
            return Ok(run);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

#[expect(clippy::print_stdout, reason = "who started the update wants to know what came of it")]
fn judge(run: Run) -> Result<(), UpdateError> {
    let reason = run.reason.unwrap_or_default();
    match run.status {
        RunStatus::RolledBack => return Err(UpdateError::RolledBack(reason)),
        RunStatus::Failed => return Err(UpdateError::Failed(reason)),
        RunStatus::Running => return Err(UpdateError::NoWord),
        RunStatus::NothingToDo => println!("{} is the latest release: {reason}", run.from_version),
        RunStatus::Succeeded => {
            let version = run.to_version.unwrap_or_default();
            println!("updated to {version}{}{reason}", if reason.is_empty() { "" } else { ": " });
        }
    }
    Ok(())
}
