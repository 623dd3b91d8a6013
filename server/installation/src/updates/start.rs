//! The start of a run.

use std::sync::Arc;

use super::config::Config;
use super::layout::CURRENT;
use super::lease_keeper::LEASE_MILLIS;
use super::leased_run::describe;
use super::previous;
use super::recorder::Recorder;
use super::rollback::{Settled, needs_restoration};
use super::run::{Caller, RunTarget, Update};
use super::settle::settle;
use crate::Installation;
use crate::config::Settings;
use crate::ids::{RunId, UserId};
use crate::journal::{
    self, Journal, JournalError, LockError, RollbackPlan, Run, RunDatabase, RunFeed, RunStatus, Step,
    StepName, StepStatus, UpdateLock,
};
use crate::releases;
use accounts::audit::{self, AuditAction};
use platform::db::copy::{self, CopyError};
use platform::db::{Database, DbError, lease};
use platform::retry::retry_until_released;
use platform::time::{Clock, Moment};

/// Why no run was started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("an update is under way")]
    InProgress,
    /// With the reason of the failed run, which has the commands to run.
    #[error("the last update failed, and its backup has to be restored before the next one: {0}")]
    RestoreRequired(String),
    #[error("there is no previous release to return to")]
    NothingToRollBack,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Database(#[from] CopyError),
    #[error("can't determine the folders of the installation: {0}")]
    Folder(std::io::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<LockError> for StartError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held => Self::InProgress,
            LockError::Journal(error) => Self::Journal(error),
        }
    }
}

/// Starts a run in a task of its own. Without a user it is on behalf of the owner of the machine.
pub async fn start(
    installation: &Arc<Installation>,
    user: Option<UserId>,
    target: RunTarget,
) -> Result<Run, StartError> {
    let settings = Settings::clone(&installation.settings);
    let (db, clock, feed) =
        (installation.db.clone(), Arc::clone(&installation.clock), Arc::clone(&installation.runs));
    let caller = Caller::server(installation, user);
    let update = Update::begin(settings, db, clock, feed, target, caller).await?;
    let run = update.run().clone();
    let installation = Arc::clone(installation);
    tokio::spawn(async move { update.perform(Some(&installation)).await });
    Ok(run)
}

impl Update {
    /// Acquires the lock and the lease. A run whose process has died is ended first.
    pub async fn begin(
        mut settings: Settings,
        db: Database,
        clock: Arc<dyn Clock>,
        feed: Arc<RunFeed>,
        target: RunTarget,
        caller: Caller<'_>,
    ) -> Result<Self, StartError> {
        let Caller { actor, installation, guard } = caller;
        settings.install_dir = std::path::absolute(&settings.install_dir).map_err(StartError::Folder)?;
        settings.data_dir = std::path::absolute(&settings.data_dir).map_err(StartError::Folder)?;
        let is_ending = |taken: &Result<UpdateLock, LockError>| {
            let is_finished =
                || matches!(journal::read(&settings.data_dir), Ok(Some(last)) if last.run.is_finished());
            matches!(taken, Err(LockError::Held)) && is_finished()
        };
        // A run that has just finished holds the lock for a moment.
        let lock = retry_until_released(|| UpdateLock::take(&settings.data_dir), is_ending).await;
        let lock = Arc::new(lock?);
        let unfinished = journal::read(&settings.data_dir)?.filter(|journal| !journal.run.is_finished());
        let lock = match unfinished {
            None => lock,
            Some(journal) if !journal.is_abandoned(clock.now()) => return Err(StartError::InProgress),
            Some(journal) => {
                let recorder = Recorder::new(lock, Arc::clone(&feed), Arc::clone(&clock), journal);
                match settle(recorder, &settings, &db, actor, installation).await {
                    Settled::Ended(_, Some(lock)) => lock,
                    _ => return Err(StartError::InProgress),
                }
            }
        };
        if let Some(failed) = journal::read(&settings.data_dir)?
            && needs_restoration(&failed.run, &db).await?
        {
            return Err(StartError::RestoreRequired(failed.run.reason.unwrap_or_default()));
        }
        if target == RunTarget::Previous && previous::find(&settings.install_dir).await.is_none() {
            return Err(StartError::NothingToRollBack);
        }
        let (config, config_error) = Config::read_or_default(&settings.install_dir);
        let journal = new_journal(&settings, &config, &db, &*clock, target)?;
        let mut transaction = db.write_always().await?;
        let run = &journal.run;
        if !lease::take(&mut transaction, &run.id.to_string(), &describe(run), LEASE_MILLIS).await? {
            return Err(StartError::InProgress);
        }
        let action = match target {
            RunTarget::Latest => AuditAction::UpdateStarted,
            RunTarget::Previous => AuditAction::RollbackStarted,
        };
        audit::record(&mut transaction, run.started_at, actor, &action).await?;
        transaction.commit().await?;
        let mut recorder = Recorder::new(lock, feed, clock, journal);
        recorder.save().await?;
        Ok(Self {
            settings,
            config,
            db,
            recorder,
            from: releases::current(),
            release: None,
            origin: None,
            config_error,
            actor,
            guard,
            target,
            continued_after_restart: false,
            is_observed_again: false,
        })
    }
}

fn new_journal(
    settings: &Settings,
    config: &Config,
    db: &Database,
    clock: &dyn Clock,
    target: RunTarget,
) -> Result<Journal, StartError> {
    let now = clock.now();
    let run = Run {
        id: RunId::new(now),
        status: RunStatus::Running,
        from_version: releases::current().to_string(),
        to_version: None,
        reason: None,
        started_at: now,
        finished_at: None,
        steps: steps(config, target, now),
    };
    let database = match db.is_remote() {
        true => RunDatabase::Postgres,
        false => RunDatabase::Sqlite { path: copy::file_of(&settings.database_url)? },
    };
    let rollback = RollbackPlan {
        install_dir: settings.install_dir.clone(),
        database,
        previous: std::fs::read_link(settings.install_dir.join(CURRENT)).ok(),
        release: None,
        backup: None,
        health_url: config.health.url.clone(),
        health_timeout_seconds: config.health.timeout_seconds,
        observe_seconds: config.health.observe_seconds,
    };
    Ok(Journal { run, rollback, handed_over_at: None })
}

/// The steps of a run. The previous release is installed already: its run has no hooks and skips the
/// preparation.
fn steps(config: &Config, target: RunTarget, now: Moment) -> Vec<Step> {
    let needed = [StepName::Determine, StepName::Switch, StepName::Restart, StepName::Health];
    let prepared = |name: StepName| {
        let mut step = Step::pending(name);
        if !needed.contains(&step.name) {
            step.end(StepStatus::Skipped, Some("the previous release is installed".to_owned()), now);
        }
        step
    };
    match target {
        RunTarget::Latest => config.plan().into_iter().map(Step::pending).collect(),
        RunTarget::Previous => StepName::ALL.into_iter().map(prepared).collect(),
    }
}
