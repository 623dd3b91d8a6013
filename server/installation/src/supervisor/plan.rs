//! What the journal of an unfinished update requires of the next start.

use std::path::Path;
use std::time::Duration;

use crate::journal::{self, LockError, Run, StepStatus, UpdateLock};

/// The probation of a new version if no server ran before it: the site has to serve again within 30 s, rollback
/// included.
const COLD_TRIAL_MAX: Duration = Duration::from_secs(20);
/// The new version reports its own timeout, with a reason, before the supervisor ends it.
const GRACE: Duration = Duration::from_secs(3);

#[derive(Debug, PartialEq, Eq)]
pub enum Plan {
    /// No update is unfinished.
    Serve,
    /// Another process holds the lock and finishes the update, or was killed and has not been reaped.
    LeaveToOthers,
    /// Start the new version, which has to become healthy within this time.
    Try(Duration),
    /// Roll back, for this reason.
    RollBack(String),
}

/// The plan by the journal in `data_dir`. `is_cold`: no server has been ready since this process started.
pub fn plan(data_dir: &Path, is_cold: bool) -> Plan {
    let journal = match journal::read(data_dir) {
        Ok(Some(journal)) if !journal.run.is_finished() => journal,
        Ok(_) => return Plan::Serve,
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "can't read the state of the last update"
            );
            return Plan::Serve;
        }
    };
    match UpdateLock::take(data_dir) {
        Err(LockError::Held) => Plan::LeaveToOthers,
        _ if journal.run.awaits_restart() => {
            let limit = Duration::from_secs(journal.rollback.health_timeout_seconds) + GRACE;
            Plan::Try(if is_cold { limit.min(COLD_TRIAL_MAX) } else { limit })
        }
        _ => Plan::RollBack(interrupted(&journal.run)),
    }
}

/// Why a run whose process has ended is rolled back.
fn interrupted(run: &Run) -> String {
    let last = run.steps.iter().rfind(|step| step.status != StepStatus::Pending);
    match last {
        Some(step) if step.status == StepStatus::Failed => match &step.reason {
            Some(reason) => reason.clone(),
            None => format!("the step `{}` failed", step.name),
        },
        Some(step) => format!("the update was interrupted at the step `{}`", step.name),
        None => "the update was interrupted".to_owned(),
    }
}
