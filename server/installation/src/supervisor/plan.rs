//! What the journal of an unfinished update requires of the next start.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::binary;
use crate::journal::{self, LockError, Run, RunStage, StepStatus, UpdateLock};
use platform::log_field::logged;

/// The probation of a new version if no server ran before it: the site has to serve again within 30 s,
/// rollback included.
const COLD_TRIAL_MAX: Duration = Duration::from_secs(20);

#[derive(Debug, PartialEq, Eq)]
pub enum Plan {
    /// No update is unfinished.
    Serve,
    /// Another process holds the lock and finishes the update, or was killed and has not been reaped.
    LeaveToOthers,
    /// Start the new version on probation.
    Try(Trial),
    /// Roll back, for this reason.
    RollBack(String),
}

/// The time that a new version has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// Until it answers.
    pub answer: Duration,
    /// How long it is observed from then on.
    pub observe: Duration,
}

/// The plan by the journal in `data_dir`. `is_cold`: no server has been ready since this process started.
///
/// An unreadable journal may be that of an unfinished run. Then the current release serves, and writes stay
/// as they are: only a readable journal opens them or rolls back.
pub fn plan(data_dir: &Path, is_cold: bool) -> Plan {
    let journal = match journal::read(data_dir) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Plan::Serve,
        Err(error) => {
            tracing::error!(
                error = logged(&error),
                "can't read the state of the last update: {}",
                error.remedy()
            );
            return Plan::Serve;
        }
    };
    let stage = journal.run.stage();
    if stage.is_decided() {
        return Plan::Serve;
    }
    if matches!(UpdateLock::take(data_dir), Err(LockError::Held)) {
        return Plan::LeaveToOthers;
    }
    if stage != RunStage::AwaitsHealth {
        return Plan::RollBack(why_rolled_back(&journal.run));
    }
    let answer = Duration::from_secs(journal.rollback.health_timeout_seconds);
    let observe = Duration::from_secs(journal.rollback.observe_seconds);
    Plan::Try(Trial { answer: if is_cold { answer.min(COLD_TRIAL_MAX) } else { answer }, observe })
}

/// The release that the installation relies on: the current one or, during an unfinished update, the previous
/// one. `None`: the binary with which the installation began.
pub fn established_release(install_dir: &Path, data_dir: &Path) -> Option<PathBuf> {
    match journal::read(data_dir) {
        Ok(Some(journal)) if !journal.run.stage().is_decided() => {
            binary::of_release(&install_dir.join(journal.rollback.previous?))
        }
        _ => binary::current_release(install_dir),
    }
}

/// Why a run whose process has ended is rolled back.
fn why_rolled_back(run: &Run) -> String {
    let last = run.steps.iter().rfind(|step| step.status != StepStatus::Pending);
    match last {
        Some(step) if step.status == StepStatus::Failed => match &step.reason {
            Some(reason) => format!("`{}` failed: {reason}", step.name),
            None => format!("`{}` failed", step.name),
        },
        Some(step) => format!("the update was interrupted at the step `{}`", step.name),
        None => "the update was interrupted".to_owned(),
    }
}
