//! A run of the update in the journal: its steps, their states, times and output.
//!
//! INVARIANT: the serde names are the format of a file that other versions read. They are not those of the
//! API, whose document is `updates/document.rs`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::moment;
use crate::ids::RunId;
use platform::time::Moment;

/// One run of the update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: RunId,
    pub status: RunStatus,
    pub from_version: String,
    /// Known once `determine` is done.
    pub to_version: Option<String>,
    pub reason: Option<String>,
    #[serde(with = "moment::required")]
    pub started_at: Moment,
    #[serde(with = "moment::optional")]
    pub finished_at: Option<Moment>,
    /// In the order in which they run.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RunStatus {
    Running,
    NothingToDo,
    Succeeded,
    RolledBack,
    /// The rollback failed: the reason says what to run.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub name: StepName,
    pub status: StepStatus,
    #[serde(with = "moment::optional")]
    pub started_at: Option<Moment>,
    #[serde(with = "moment::optional")]
    pub finished_at: Option<Moment>,
    /// The output of its commands, truncated at its beginning.
    pub output: String,
    /// Why it was skipped or failed.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepStatus {
    Pending,
    Running,
    Done,
    Skipped,
    Failed,
}

/// What remains of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStage {
    /// Steps up to `switch` remain. If the process of the run has ended, the run is rolled back.
    Prepares,
    /// The new release has to answer, and to keep answering. The next start tries it.
    AwaitsHealth,
    /// The new release stays; only hooks and the cleanup remain.
    Completes,
    /// A step has failed: the run is rolled back.
    Fails,
    Finished,
}

impl RunStage {
    /// Whether the release that runs stays. In any other stage the run may still be rolled back.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Completes | Self::Finished)
    }
}

/// The steps of the procedure in their order, and the hooks of `update.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepName {
    Determine,
    Fetch,
    Dependencies,
    DataLayer,
    Build,
    Rehearse,
    Backup,
    Schema,
    Switch,
    Restart,
    Health,
    Hook(String),
}

impl Run {
    pub fn step(&self, name: &StepName) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == *name)
    }

    pub fn step_mut(&mut self, name: &StepName) -> Option<&mut Step> {
        self.steps.iter_mut().find(|step| step.name == *name)
    }

    /// Whether a step has begun, whether or not it has ended.
    pub fn has_begun(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.started_at.is_some())
    }

    pub fn is_done(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.status == StepStatus::Done)
    }

    pub fn is_finished(&self) -> bool {
        self.status != RunStatus::Running
    }

    /// Whether the new release may have changed the schema: in the step of that name, or at its start.
    pub fn may_have_changed_schema(&self) -> bool {
        self.has_begun(&StepName::Schema) || self.has_begun(&StepName::Switch)
    }

    /// What remains of the run. A hook that fails after `health` does not fail the run.
    pub fn stage(&self) -> RunStage {
        if self.is_finished() {
            return RunStage::Finished;
        }
        let is_over = |step: &Step| matches!(step.status, StepStatus::Done | StepStatus::Skipped);
        if self.step(&StepName::Health).is_some_and(is_over) {
            return RunStage::Completes;
        }
        if self.steps.iter().any(|step| step.status == StepStatus::Failed) {
            return RunStage::Fails;
        }
        if self.is_done(&StepName::Switch) { RunStage::AwaitsHealth } else { RunStage::Prepares }
    }
}

impl Step {
    pub fn pending(name: StepName) -> Self {
        let status = StepStatus::Pending;
        Self { name, status, started_at: None, finished_at: None, output: String::new(), reason: None }
    }

    pub fn begin(&mut self, now: Moment) {
        self.status = StepStatus::Running;
        self.started_at = Some(now);
    }

    pub fn end(&mut self, status: StepStatus, reason: Option<String>, now: Moment) {
        self.status = status;
        self.reason = reason;
        self.finished_at = Some(now);
    }
}

impl StepName {
    /// The steps of the procedure in their order.
    pub const ALL: [Self; 11] = [
        Self::Determine,
        Self::Fetch,
        Self::Dependencies,
        Self::DataLayer,
        Self::Build,
        Self::Rehearse,
        Self::Backup,
        Self::Schema,
        Self::Switch,
        Self::Restart,
        Self::Health,
    ];

    pub fn as_str(&self) -> &str {
        match self {
            Self::Determine => "determine",
            Self::Fetch => "fetch",
            Self::Dependencies => "dependencies",
            Self::DataLayer => "data_layer",
            Self::Build => "build",
            Self::Rehearse => "rehearse",
            Self::Backup => "backup",
            Self::Schema => "schema",
            Self::Switch => "switch",
            Self::Restart => "restart",
            Self::Health => "health",
            Self::Hook(name) => name,
        }
    }
}

impl std::fmt::Display for StepName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Any name that is not a step of the procedure is a hook.
impl From<String> for StepName {
    fn from(text: String) -> Self {
        Self::ALL.into_iter().find(|name| name.as_str() == text).unwrap_or(Self::Hook(text))
    }
}

impl Serialize for StepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for StepName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
