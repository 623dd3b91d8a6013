//! The start of a run.

use std::sync::Arc;

use super::config::Config;
use super::layout::CURRENT;
use super::lease_keeper::LEASE_MILLIS;
use super::recorder::Recorder;
use super::rollback;
use super::run::Update;
use crate::Installation;
use crate::audit::{self, AuditAction};
use crate::config::Settings;
use crate::ids::{RunId, UserId};
use crate::journal::{
    self, Journal, JournalError, LockError, RollbackPlan, Run, RunDatabase, RunFeed, RunStatus, Step,
    UpdateLock,
};
use crate::releases;
use platform::db::copy::{self, CopyError};
use platform::db::{Database, DbError, lease};
use platform::random::NoEntropy;
use platform::time::Clock;

/// Why no run was started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("an update is under way")]
    InProgress,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Database(#[from] CopyError),
    #[error("can't determine the folders of the installation: {0}")]
    Folder(std::io::Error),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Entropy(#[from] NoEntropy),
}

impl From<LockError> for StartError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held => Self::InProgress,
            LockError::Journal(error) => Self::Journal(error),
        }
    }
}

/// Starts a run in a task of its own.
pub async fn start(installation: &Arc<Installation>, user: UserId) -> Result<Run, StartError> {
    let settings = Settings::clone(&installation.settings);
    let (db, clock, feed) =
        (installation.db.clone(), Arc::clone(&installation.clock), Arc::clone(&installation.runs));
    let update = Update::begin(settings, db, clock, feed, Some(user)).await?;
    let run = update.run().clone();
    let installation = Arc::clone(installation);
    tokio::spawn(async move { update.perform(Some(&installation)).await });
    Ok(run)
}

impl Update {
    /// Acquires the lock and the lease. A run whose process has died is rolled back first.
    pub async fn begin(
        mut settings: Settings,
        db: Database,
        clock: Arc<dyn Clock>,
        feed: Arc<RunFeed>,
        actor: Option<UserId>,
    ) -> Result<Self, StartError> {
        settings.install_dir = std::path::absolute(&settings.install_dir).map_err(StartError::Folder)?;
        settings.data_dir = std::path::absolute(&settings.data_dir).map_err(StartError::Folder)?;
        let lock = Arc::new(UpdateLock::take(&settings.data_dir)?);
        let unfinished = journal::read(&settings.data_dir)?.filter(|journal| !journal.run.is_finished());
        let lock = match unfinished {
            None => lock,
            Some(journal) if !journal.is_abandoned(clock.now()) => return Err(StartError::InProgress),
            Some(journal) => {
                let recorder = Recorder::new(lock, Arc::clone(&feed), Arc::clone(&clock), journal);
                let (_, lock) =
                    rollback::roll_back(recorder, &settings, &db, rollback::INTERRUPTED, actor).await;
                lock.ok_or(StartError::InProgress)?
            }
        };
        let (config, config_error) = Config::read_or_default(&settings.install_dir);
        let journal = new_journal(&settings, &config, &db, &*clock)?;
        let mut transaction = db.write_always().await?;
        let run = &journal.run;
        if !lease::take(&mut transaction, &run.id.to_string(), LEASE_MILLIS).await? {
            return Err(StartError::InProgress);
        }
        audit::record(&mut transaction, run.started_at, actor, &AuditAction::UpdateStarted).await?;
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
            checkout: None,
            config_error,
            actor,
            continued_after_restart: false,
        })
    }
}

fn new_journal(
    settings: &Settings,
    config: &Config,
    db: &Database,
    clock: &dyn Clock,
) -> Result<Journal, StartError> {
    let now = clock.now();
    let run = Run {
        id: RunId::new(now)?,
        status: RunStatus::Running,
        from_version: releases::current().to_string(),
        to_version: None,
        reason: None,
        started_at: now,
        finished_at: None,
        steps: config.plan().into_iter().map(Step::pending).collect(),
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
    };
    Ok(Journal { run, rollback })
}
