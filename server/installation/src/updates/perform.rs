//! The steps of a run, one after the other. If one fails, the run is rolled back.

use std::sync::Arc;

use super::lease_keeper::LeaseKeeper;
use super::run::{Outcome, StepError, Update};
use super::{prune, rollback, steps};
use crate::Installation;
use crate::journal::{Run, RunStatus, Step, StepName, StepStatus};

const NOTHING_TO_DO: &str = "nothing to be done";
const RESTART_NEEDED: &str = "restart needed";

/// How the part of a run in this process has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Finished(Run),
    /// The next server continues the run.
    Restarting,
}

impl Update {
    /// Performs the remaining steps. `installation` is that of the server in which the run takes place; `None` in a
    /// shell.
    pub async fn perform(mut self, installation: Option<&Arc<Installation>>) -> Ended {
        let mut lease = Some(LeaseKeeper::start(self.db.clone(), self.run().id));
        let is_open = |step: &&Step| !matches!(step.status, StepStatus::Done | StepStatus::Skipped);
        let names: Vec<StepName> =
            self.run().steps.iter().filter(is_open).map(|step| step.name.clone()).collect();
        for name in names {
            if name == StepName::Restart && !self.continued_after_restart {
                // From here on the lease lasts as long as the next server needs.
                lease.take();
            }
            match self.step(&name, installation).await {
                Ok(()) => {}
                Err(StepError::NothingToDo) => return self.finish_without_work().await,
                Err(StepError::Restarting) => return Ended::Restarting,
                Err(StepError::Failed(reason)) if self.run().is_finished() => {
                    self.record_late_failure(&name, reason).await;
                }
                Err(StepError::Failed(reason)) => {
                    return self.roll_back(&name, reason, installation).await;
                }
            }
        }
        prune::prune(&self.settings, self.plan()).await;
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
        // Later steps are hooks: the run has succeeded, and the site may be written to.
        if *name == StepName::Health {
            let reason = self.is_restart_skipped().then(|| RESTART_NEEDED.to_owned());
            self.recorder.finish(RunStatus::Succeeded, reason).await?;
            if self.continued_after_restart
                && let Some(installation) = installation
            {
                // Fails without a supervisor, in which case there is no probation.
                let _ = installation.control.confirm();
            }
            self.release_lease().await;
        }
        Ok(())
    }

    async fn finish_without_work(mut self) -> Ended {
        let now = self.recorder.clock().now();
        for step in self.recorder.journal.run.steps.iter_mut() {
            match step.status {
                StepStatus::Running => step.end(StepStatus::Done, None, now),
                StepStatus::Pending => step.end(StepStatus::Skipped, Some(NOTHING_TO_DO.to_owned()), now),
                _ => {}
            }
        }
        let finished = self.recorder.finish(RunStatus::NothingToDo, Some(NOTHING_TO_DO.to_owned())).await;
        if let Err(error) = finished {
            tracing::error!(error = &error as &dyn std::error::Error, "can't record the end of the update");
        }
        self.release_lease().await;
        Ended::Finished(self.recorder.journal.run)
    }

    /// A hook has failed after the run has succeeded.
    async fn record_late_failure(&mut self, name: &StepName, reason: String) {
        self.recorder.journal.run.reason = Some(format!("`{name}` failed after the update: {reason}"));
        self.record_failure(name, reason).await;
    }

    async fn record_failure(&mut self, name: &StepName, reason: String) {
        if let Err(error) = self.recorder.end(name, StepStatus::Failed, Some(reason)).await {
            tracing::error!(error = &error as &dyn std::error::Error, "can't record the end of a step");
        }
    }

    async fn roll_back(
        mut self,
        name: &StepName,
        reason: String,
        installation: Option<&Arc<Installation>>,
    ) -> Ended {
        let summary = format!("`{name}` failed: {reason}");
        if self.continued_after_restart {
            self.record_failure(name, reason).await;
            // With a supervisor, the previous release rolls the run back, after this server has ended.
            if installation.is_some_and(|installation| installation.control.refuse(&summary).is_ok()) {
                return Ended::Restarting;
            }
        }
        let (run, _) =
            rollback::roll_back(self.recorder, &self.settings, &self.db, &summary, self.actor).await;
        Ended::Finished(run)
    }

    async fn release_lease(&self) {
        rollback::release_lease(&self.db, self.run(), self.recorder.clock().now(), self.actor).await;
    }
}
