//! A run from its beginning to its end: its steps one after the other, and the way back where one fails.

use std::sync::Arc;
use std::time::Duration;

use semver::Version;

use super::config::{Config, ConfigError};
use super::git::Checkout;
use super::journal::{
    self, Journal, JournalError, LockError, Run, RunDatabase, RunStatus, Step, StepName, StepStatus,
    UpdateLock, Way,
};
use super::recorder::Recorder;
use super::steps::{Outcome, StepError};
use super::{prune, revert, steps};
use crate::Installation;
use crate::audit::{self, Act};
use crate::config::Settings;
use crate::ids::{RunId, UserId};
use crate::releases::{self, Release};
use platform::db::copy::{self, CopyError};
use platform::db::{Database, DbError, lease};
use platform::random::NoEntropy;
use platform::time::Clock;

const NOTHING: &str = "nothing to be done";
const RESTART_NEEDED: &str = "restart needed";
/// So long a run is believed to be alive after it has said so, and so often it says so.
const ALIVE_MILLIS: i64 = 30_000;
const SAY_EVERY: Duration = Duration::from_secs(10);
/// Until the next server has taken over, beyond the time that it has to become well.
const RESTART_MILLIS: i64 = 60_000;

/// A run that is under way.
pub struct Update {
    pub(super) settings: Settings,
    pub(super) config: Config,
    pub(super) db: Database,
    pub(super) recorder: Recorder,
    /// The version that runs.
    pub(super) from: Version,
    /// Known once `determine` is done.
    pub(super) release: Option<Release>,
    pub(super) checkout: Option<Checkout>,
    /// Why the operator's file can't be followed: the first step says it.
    pub(super) refused: Option<ConfigError>,
    pub(super) actor: Option<UserId>,
    /// Begun by the release before this one.
    pub(super) resumed: bool,
}

/// Why no run was started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("an update is under way")]
    InProgress,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Database(#[from] CopyError),
    #[error("can't tell where the installation is: {0}")]
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

/// How the part of a run in this process has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Finished(Run),
    /// The next server goes on.
    Restarting,
}

/// The current or last run; nothing before the first.
pub fn current(installation: &Installation) -> Result<Option<Run>, JournalError> {
    Ok(journal::read(&installation.settings.data_dir)?.map(|journal| journal.run))
}

/// Starts a run, which goes on by itself.
pub async fn start(installation: &Arc<Installation>, user: UserId) -> Result<Run, StartError> {
    let settings = Settings::clone(&installation.settings);
    let update =
        Update::begin(settings, installation.db.clone(), Arc::clone(&installation.clock), Some(user)).await?;
    let run = update.recorder.journal.run.clone();
    let installation = Arc::clone(installation);
    tokio::spawn(async move { update.go(Some(&installation)).await });
    Ok(run)
}

impl Update {
    /// Takes the turn. A run whose process has died is taken back first.
    pub async fn begin(
        mut settings: Settings,
        db: Database,
        clock: Arc<dyn Clock>,
        actor: Option<UserId>,
    ) -> Result<Self, StartError> {
        settings.install_dir = std::path::absolute(&settings.install_dir).map_err(StartError::Folder)?;
        settings.data_dir = std::path::absolute(&settings.data_dir).map_err(StartError::Folder)?;
        let lock = Arc::new(UpdateLock::take(&settings.data_dir)?);
        let before = journal::read(&settings.data_dir)?;
        let lock = match before.filter(|journal| !journal.run.is_finished()) {
            None => lock,
            Some(left) => {
                if !left.is_abandoned(clock.now()) {
                    return Err(StartError::InProgress);
                }
                let recorder = Recorder::new(lock, settings.data_dir.clone(), Arc::clone(&clock), left);
                revert::undo(recorder, &settings, &db, revert::INTERRUPTED, actor)
                    .await
                    .1
                    .ok_or(StartError::InProgress)?
            }
        };
        let (config, refused) = match Config::read(&settings.install_dir) {
            Ok(config) => (config, None),
            Err(error) => (Config::default(), Some(error)),
        };
        let now = clock.now();
        let from = releases::current();
        let run = Run {
            id: RunId::new(now)?,
            status: RunStatus::Running,
            from_version: from.to_string(),
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
        let way = Way {
            install_dir: settings.install_dir.clone(),
            database,
            previous: std::fs::read_link(settings.install_dir.join(steps::CURRENT)).ok(),
            release: None,
            backup: None,
            health_url: config.health.url.clone(),
            health_timeout_seconds: config.health.timeout_seconds,
        };
        let mut transaction = db.write_always().await?;
        if !lease::take(&mut transaction, &run.id.to_string(), ALIVE_MILLIS).await? {
            return Err(StartError::InProgress);
        }
        audit::record(&mut transaction, now, actor, &Act::UpdateStarted).await?;
        transaction.commit().await?;
        let mut recorder = Recorder::new(lock, settings.data_dir.clone(), clock, Journal { run, way });
        recorder.save().await?;
        let (release, checkout) = (None, None);
        let resumed = false;
        Ok(Self { settings, config, db, recorder, from, release, checkout, refused, actor, resumed })
    }

    pub fn run(&self) -> &Run {
        &self.recorder.journal.run
    }

    pub fn health_timeout_seconds(&self) -> u64 {
        self.recorder.journal.way.health_timeout_seconds
    }

    /// Runs its steps. `installation`: of the server in which it runs; nothing in a shell.
    pub async fn go(mut self, installation: Option<&Arc<Installation>>) -> Ended {
        let mut alive = Some(Alive::keep(self.db.clone(), self.run().id));
        let open = |step: &&Step| !matches!(step.status, StepStatus::Done | StepStatus::Skipped);
        let names: Vec<StepName> =
            self.run().steps.iter().filter(open).map(|step| step.name.clone()).collect();
        for name in names {
            if name == StepName::Restart && !self.resumed {
                // From here on it is believed to be alive for as long as the next server needs.
                alive.take();
            }
            match self.step(&name, installation).await {
                Ok(()) => {}
                Err(StepError::NothingToDo) => {
                    return self.nothing_to_do().await;
                }
                Err(StepError::Restarting) => return Ended::Restarting,
                Err(StepError::Failed(reason)) if self.run().is_finished() => {
                    self.failed_afterwards(&name, reason).await;
                }
                Err(StepError::Failed(reason)) => return self.back(&name, reason, installation).await,
            }
        }
        prune::prune(&self.settings, &self.recorder.journal.way).await;
        Ended::Finished(self.recorder.journal.run)
    }

    async fn step(
        &mut self,
        name: &StepName,
        installation: Option<&Arc<Installation>>,
    ) -> Result<(), StepError> {
        self.recorder.begin(name).await?;
        let (status, reason) = match steps::perform(self, name, installation).await? {
            Outcome::Done => (StepStatus::Done, None),
            Outcome::Skipped(reason) => (StepStatus::Skipped, Some(reason)),
        };
        self.recorder.end(name, status, reason).await?;
        // What comes after it is none of the run's own steps: the site goes on with the new release.
        if *name == StepName::Health {
            let reason = self.is_left_to_others().then(|| RESTART_NEEDED.to_owned());
            self.recorder.finish(RunStatus::Succeeded, reason).await?;
            if self.resumed
                && let Some(installation) = installation
            {
                // Nobody waits for it where nobody supervises.
                let _ = installation.control.confirm();
            }
            self.open_writes().await;
        }
        Ok(())
    }

    /// Whether the new release runs only when somebody starts it.
    pub(super) fn is_left_to_others(&self) -> bool {
        self.run().step(&StepName::Restart).is_some_and(|step| step.status == StepStatus::Skipped)
    }

    async fn nothing_to_do(mut self) -> Ended {
        let now = self.recorder.clock().now();
        for step in self.recorder.journal.run.steps.iter_mut() {
            match step.status {
                StepStatus::Running => step.end(StepStatus::Done, None, now),
                StepStatus::Pending => step.end(StepStatus::Skipped, Some(NOTHING.to_owned()), now),
                _ => {}
            }
        }
        if let Err(error) = self.recorder.finish(RunStatus::NothingToDo, Some(NOTHING.to_owned())).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the end of the update is not kept");
        }
        self.open_writes().await;
        Ended::Finished(self.recorder.journal.run)
    }

    async fn failed_afterwards(&mut self, name: &StepName, reason: String) {
        let told = format!("`{name}` failed after the update: {reason}");
        self.recorder.journal.run.reason = Some(told);
        if let Err(error) = self.recorder.end(name, StepStatus::Failed, Some(reason)).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the end of a step is not kept");
        }
    }

    async fn back(
        mut self,
        name: &StepName,
        reason: String,
        installation: Option<&Arc<Installation>>,
    ) -> Ended {
        let told = format!("`{name}` failed: {reason}");
        if self.resumed
            && let Err(error) = self.recorder.end(name, StepStatus::Failed, Some(reason)).await
        {
            tracing::error!(error = &error as &dyn std::error::Error, "the end of a step is not kept");
        }
        // The release that ran before takes the run back, once this one is gone. Where nobody has started this one,
        // nobody does.
        if self.resumed && installation.is_some_and(|installation| installation.control.refuse(&told).is_ok())
        {
            return Ended::Restarting;
        }
        let reason = told;
        Ended::Finished(revert::undo(self.recorder, &self.settings, &self.db, &reason, self.actor).await.0)
    }

    async fn open_writes(&self) {
        let run = &self.recorder.journal.run;
        revert::leave(&self.db, run, self.recorder.clock().now(), self.actor).await;
    }

    /// For as long as the next server has to become well.
    pub(super) async fn outlive_restart(&self) -> Result<(), DbError> {
        let seconds =
            i64::try_from(self.recorder.journal.way.health_timeout_seconds).unwrap_or(i64::MAX / 2000);
        let mut transaction = self.db.write_always().await?;
        lease::renew(&mut transaction, &self.run().id.to_string(), RESTART_MILLIS + seconds * 1000).await?;
        transaction.commit().await
    }
}

/// Says that the run is alive, as long as it is.
struct Alive(tokio::task::JoinHandle<()>);

impl Alive {
    fn keep(db: Database, run: RunId) -> Self {
        Self(tokio::spawn(async move {
            loop {
                tokio::time::sleep(SAY_EVERY).await;
                let said = async {
                    let mut transaction = db.write_always().await?;
                    lease::renew(&mut transaction, &run.to_string(), ALIVE_MILLIS).await?;
                    transaction.commit().await
                };
                if let Err(error) = said.await {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the update can't say that it is alive"
                    );
                }
            }
        }))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.abort();
    }
}
