//! A run of the update as the API shows it (SPEC, section 8).

use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::journal::{Run, RunStatus, Step, StepStatus};

/// A run of the update.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateRun)]
pub struct RunDocument {
    id: String,
    status: RunStatusDocument,
    from_version: String,
    /// Known once `determine` is done.
    to_version: Option<String>,
    reason: Option<String>,
    started_at: String,
    finished_at: Option<String>,
    /// In the order in which they run.
    steps: Vec<StepDocument>,
}

/// Names a state of the run, or that there was none: a page that shows this state is up to date.
pub fn fingerprint(run: Option<&RunDocument>) -> String {
    // INVARIANT: the document has no map and no value that JSON can't express.
    let document = serde_json::to_vec(&run).unwrap_or_default();
    let [first, second, third, fourth, ..] = <[u8; 32]>::from(Sha256::digest(document));
    u32::from_be_bytes([first, second, third, fourth]).to_string()
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateRunStatus)]
enum RunStatusDocument {
    Running,
    NothingToDo,
    Succeeded,
    RolledBack,
    /// The rollback failed: the reason says what to run.
    Failed,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateStep)]
struct StepDocument {
    name: String,
    status: StepStatusDocument,
    started_at: Option<String>,
    finished_at: Option<String>,
    /// The output of its commands, truncated at its beginning.
    output: String,
    /// Why it was skipped or failed.
    reason: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateStepStatus)]
enum StepStatusDocument {
    Pending,
    Running,
    Done,
    Skipped,
    Failed,
}

impl From<Run> for RunDocument {
    fn from(run: Run) -> Self {
        Self {
            id: run.id.to_string(),
            status: run.status.into(),
            from_version: run.from_version,
            to_version: run.to_version,
            reason: run.reason,
            started_at: run.started_at.to_string(),
            finished_at: run.finished_at.map(|at| at.to_string()),
            steps: run.steps.into_iter().map(StepDocument::from).collect(),
        }
    }
}

impl From<RunStatus> for RunStatusDocument {
    fn from(status: RunStatus) -> Self {
        match status {
            RunStatus::Running => Self::Running,
            RunStatus::NothingToDo => Self::NothingToDo,
            RunStatus::Succeeded => Self::Succeeded,
            RunStatus::RolledBack => Self::RolledBack,
            RunStatus::Failed => Self::Failed,
        }
    }
}

impl From<Step> for StepDocument {
    fn from(step: Step) -> Self {
        Self {
            name: step.name.to_string(),
            status: step.status.into(),
            started_at: step.started_at.map(|at| at.to_string()),
            finished_at: step.finished_at.map(|at| at.to_string()),
            output: step.output,
            reason: step.reason,
        }
    }
}

impl From<StepStatus> for StepStatusDocument {
    fn from(status: StepStatus) -> Self {
        match status {
            StepStatus::Pending => Self::Pending,
            StepStatus::Running => Self::Running,
            StepStatus::Done => Self::Done,
            StepStatus::Skipped => Self::Skipped,
            StepStatus::Failed => Self::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use platform::time::Moment;
    use serde_json::{Value, json};

    use super::*;
    use crate::ids::RunId;
    use crate::journal::StepName;

    #[test]
    fn the_document_is_that_of_the_specification() {
        let now: Moment = "2026-05-01T18:00:00Z".parse().unwrap();
        let mut build = Step::pending(StepName::Build);
        build.begin(now);
        build.end(StepStatus::Done, None, now.plus_seconds(1));
        let run = Run {
            id: RunId::new(now),
            status: RunStatus::Running,
            from_version: "1.9.0".to_owned(),
            to_version: Some("1.10.0".to_owned()),
            reason: None,
            started_at: now,
            finished_at: None,
            steps: vec![build, Step::pending(StepName::Hook("upload-backup".to_owned()))],
        };
        let id = run.id.to_string();
        let document = serde_json::to_value(RunDocument::from(run)).unwrap();
        let pending = json!({
            "name": "upload-backup", "status": "PENDING", "startedAt": null, "finishedAt": null, "output": "",
            "reason": null
        });
        let done = json!({
            "name": "build", "status": "DONE", "startedAt": "2026-05-01T18:00:00.000Z",
            "finishedAt": "2026-05-01T18:00:01.000Z", "output": "", "reason": null
        });
        let wanted = json!({
            "id": id, "status": "RUNNING", "fromVersion": "1.9.0", "toVersion": "1.10.0", "reason": null,
            "startedAt": "2026-05-01T18:00:00.000Z", "finishedAt": Value::Null, "steps": [done, pending]
        });
        assert_eq!(document, wanted);
    }
}
