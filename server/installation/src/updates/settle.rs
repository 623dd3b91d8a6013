//! The end of a run whose process has ended.

use super::end;
use super::recorder::Recorder;
use super::rollback::{self, INTERRUPTED, Settled};
use crate::Installation;
use crate::config::Settings;
use crate::ids::UserId;
use crate::journal::{RunStage, Step, StepName, StepStatus};
use platform::db::Database;
use platform::log_field::logged;

/// Ends the run in the journal of `recorder`: a run whose new release stays has succeeded, any other is
/// rolled back. `installation` is that of this server; `None` in a shell.
pub(super) async fn settle(
    mut recorder: Recorder,
    settings: &Settings,
    db: &Database,
    actor: Option<UserId>,
    installation: Option<&Installation>,
) -> Settled {
    let stage = recorder.journal.run.stage();
    if stage == RunStage::Completes {
        fail_hooks(&mut recorder);
        end::complete(&mut recorder, settings, db, actor).await;
        let (run, lock) = recorder.into_parts();
        return Settled::Ended(Box::new(run), lock);
    }
    let mut reason = INTERRUPTED.to_owned();
    if stage == RunStage::AwaitsHealth {
        let seconds = recorder.journal.rollback.health_timeout_seconds;
        reason = format!("the new release did not answer within {seconds} s after the restart");
        fail_next_step(&mut recorder, &reason).await;
    }
    rollback::roll_back(recorder, settings, db, &reason, actor, installation).await
}

/// Hooks after `health` are not repeated: the operator has to run what was interrupted.
fn fail_hooks(recorder: &mut Recorder) {
    let now = recorder.clock().now();
    let is_open = |step: &&mut Step| matches!(step.status, StepStatus::Pending | StepStatus::Running);
    let run = &mut recorder.journal.run;
    for step in run.steps.iter_mut().filter(is_open) {
        step.end(StepStatus::Failed, Some(INTERRUPTED.to_owned()), now);
        run.reason = Some(format!("`{}` failed after the update: {INTERRUPTED}", step.name));
    }
}

/// Records the failure, so that a supervisor rolls the run back instead of trying the new release again.
async fn fail_next_step(recorder: &mut Recorder, reason: &str) {
    let is_over = |status| matches!(status, StepStatus::Done | StepStatus::Skipped);
    let next = recorder.journal.run.steps.iter().find(|step| !is_over(step.status));
    let name = next.map_or(StepName::Health, |step| step.name.clone());
    if let Err(error) = recorder.end(&name, StepStatus::Failed, Some(reason.to_owned())).await {
        tracing::error!(error = logged(&error), "can't record the end of a step");
    }
}
