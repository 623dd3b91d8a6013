//! The end of a run. The status changes last: by then writes are open.

use super::prune;
use super::recorder::Recorder;
use crate::config::Settings;
use crate::ids::UserId;
use crate::journal::{Run, RunStatus, StepName, StepStatus};
use accounts::audit::{self, AuditAction};
use platform::db::{Database, lease};
use platform::log_field::logged;
use platform::time::Moment;

/// The result of a successful run in the audit log.
pub(super) const SUCCEEDED: &str = "succeeded";
const RESTART_NEEDED: &str = "restart needed";

/// Ends a run whose new release stays: opens writes, removes old releases and backups, and records the
/// success. A reason that the run has already is that of a failed hook.
pub(super) async fn complete(
    recorder: &mut Recorder,
    settings: &Settings,
    db: &Database,
    actor: Option<UserId>,
) {
    let reason = match recorder.journal.run.reason.take() {
        None => is_restart_skipped(&recorder.journal.run).then(|| RESTART_NEEDED.to_owned()),
        late_failure => late_failure,
    };
    let now = recorder.clock().now();
    release_lease(db, &recorder.journal.run, RunStatus::Succeeded, now, actor).await;
    prune::prune(settings, &recorder.journal.rollback).await;
    record(recorder, RunStatus::Succeeded, reason).await;
}

/// Whether the new release runs after the next start only, which is not part of the run.
pub(super) fn is_restart_skipped(run: &Run) -> bool {
    run.step(&StepName::Restart).is_some_and(|step| step.status == StepStatus::Skipped)
}

/// Records the end in the journal. If that fails, the next start ends the run again.
pub(super) async fn record(recorder: &mut Recorder, status: RunStatus, reason: Option<String>) {
    if let Err(error) = recorder.finish(status, reason).await {
        tracing::error!(error = logged(&error), "can't record the end of the update");
    }
}

/// Releases the lease, which opens writes, and records the end in the audit log. If the database does not
/// answer, the next start does it.
pub(super) async fn release_lease(
    db: &Database,
    run: &Run,
    status: RunStatus,
    now: Moment,
    actor: Option<UserId>,
) {
    let action = AuditAction::UpdateFinished(summary(run, status));
    let released = async {
        let mut transaction = db.write_always().await?;
        lease::release(&mut transaction, &run.id.to_string()).await?;
        audit::record(&mut transaction, now, actor, &action).await?;
        transaction.commit().await
    };
    if let Err(error) = released.await {
        tracing::error!(error = logged(&error), "can't open writes after the end of the update");
    }
}

/// The result of the run, for the audit log.
fn summary(run: &Run, status: RunStatus) -> String {
    let result = match status {
        RunStatus::Running => "is under way",
        RunStatus::NothingToDo => "found nothing to be done",
        RunStatus::Succeeded => SUCCEEDED,
        RunStatus::RolledBack => "was rolled back",
        RunStatus::Failed => "failed, and so did the rollback",
    };
    match &run.to_version {
        Some(to) => format!("to {to} {result}"),
        None => format!("from {} {result}", run.from_version),
    }
}
