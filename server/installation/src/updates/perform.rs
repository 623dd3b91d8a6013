//! The steps of a run, one after the other. If one fails, the run is rolled back.

use std::sync::Arc;

use super::lease_keeper::LeaseKeeper;
use super::leased_run;
use super::rollback::{self, Settled};
use super::run::{Outcome, StepError, Update};
use super::{end, steps};
use crate::Installation;
use crate::journal::{Run, RunStage, RunStatus, Step, StepName, StepStatus};
use platform::log_field::logged;

const NOTHING_TO_DO: &str = "nothing to be done";

/// How the part of a run in this process has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Finished(Run),
    /// The next server continues the run.
    Restarting,
}

impl Update {
    /// Performs the remaining steps. `installation` is that of the server in which the run takes place;
    /// `None` in a shell.
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
            let performed = self.step(&name, installation).await;
            match performed {
                Ok(()) => {}
                Err(StepError::NothingToDo) => return self.finish_without_work().await,
                Err(StepError::Restarting) => return Ended::Restarting,
                Err(StepError::Failed(reason)) if self.run().stage() == RunStage::Completes => {
                    // The update has succeeded without the hook.
                    self.recorder.journal.run.reason =
                        Some(format!("`{name}` failed after the update: {reason}"));
                    self.record_failure(&name, reason).await;
                }
                Err(StepError::Failed(reason)) => {
                    return self.roll_back(name, reason, installation).await;
                }
            }
        }
        self.complete().await
    }

    async fn step(
        &mut self,
        name: &StepName,
        installation: Option<&Arc<Installation>>,
    ) -> Result<(), StepError> {
        self.recorder.begin(name).await?;
        leased_run::publish(&self.db, self.run()).await;
        let (status, reason) = match steps::perform(self, name, installation).await? {
            Outcome::Done => (StepStatus::Done, None),
            Outcome::Skipped(reason) => (StepStatus::Skipped, Some(reason)),
        };
        self.recorder.end(name, status, reason).await?;
        if *name == StepName::Health
            && self.continued_after_restart
            && let Some(installation) = installation
        {
            // Fails without a supervisor, in which case there is no probation.
            let _ = installation.control.confirm();
        }
        Ok(())
    }

    async fn complete(mut self) -> Ended {
        end::complete(&mut self.recorder, &self.settings, &self.db, self.actor).await;
        Ended::Finished(self.recorder.journal.run)
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
        end::release_lease(&self.db, self.run(), RunStatus::NothingToDo, now, self.actor).await;
        end::record(&mut self.recorder, RunStatus::NothingToDo, Some(NOTHING_TO_DO.to_owned())).await;
        Ended::Finished(self.recorder.journal.run)
    }

    async fn record_failure(&mut self, name: &StepName, reason: String) {
        if let Err(error) = self.recorder.end(name, StepStatus::Failed, Some(reason)).await {
            tracing::error!(error = logged(&error), "can't record the end of a step");
        }
    }

    async fn roll_back(
        mut self,
        name: StepName,
        reason: String,
        installation: Option<&Arc<Installation>>,
    ) -> Ended {
        let summary = format!("`{name}` failed: {reason}");
        self.record_failure(&name, reason).await;
        // With a supervisor, the previous release rolls the run back, after this server has ended.
        if self.continued_after_restart
            && installation.is_some_and(|installation| installation.control.refuse(&summary).is_ok())
        {
            return Ended::Restarting;
        }
        let installation = installation.map(|installation| &**installation);
        let (settings, db) = (&self.settings, &self.db);
        match rollback::roll_back(self.recorder, settings, db, &summary, self.actor, installation).await {
            Settled::Ended(run, _) => Ended::Finished(*run),
            Settled::HandedOver => Ended::Restarting,
        }
    }
}
