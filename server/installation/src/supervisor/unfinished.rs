//! What an update that has not come to its end asks of the next start. The journal says how far it came.

use std::path::Path;
use std::time::Duration;

use crate::updates::journal::{self, LockError, Run, StepStatus, UpdateLock};

/// For so long a new version may take to prove itself where nothing has served before it: the site is back within
/// 30 s, with the way back, whatever happens.
const COLD_TRIAL_MAX: Duration = Duration::from_secs(20);
/// The new version gives up by itself at first, and says why.
const GRACE: Duration = Duration::from_secs(3);

#[derive(Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing is unfinished.
    Serve,
    /// Somebody has the lock, and so is about to finish it; or was killed and is not gone yet.
    LeaveToOthers,
    /// The new version is in force, and has to prove itself within this time.
    Try(Duration),
    /// The way back, for this reason.
    Revert(String),
}

/// By the journal in `data_dir`; `is_cold` where nothing has served since this process started.
pub fn plan(data_dir: &Path, is_cold: bool) -> Plan {
    let journal = match journal::read(data_dir) {
        Ok(Some(journal)) if !journal.run.is_finished() => journal,
        Ok(_) => return Plan::Serve,
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "can't tell what became of the last update"
            );
            return Plan::Serve;
        }
    };
    match UpdateLock::take(data_dir) {
        Err(LockError::Held) => Plan::LeaveToOthers,
        _ if journal.run.awaits_restart() => {
            let limit = Duration::from_secs(journal.way.health_timeout_seconds) + GRACE;
            Plan::Try(if is_cold { limit.min(COLD_TRIAL_MAX) } else { limit })
        }
        _ => Plan::Revert(interrupted(&journal.run)),
    }
}

/// Why a run goes no further whose process has ended.
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
