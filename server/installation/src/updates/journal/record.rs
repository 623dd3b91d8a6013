//! A run as it is answered and kept: its steps, their states, times and output (contract, section 8).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::ids::RunId;
use platform::time::Moment;

/// A run as it is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateRun)]
pub struct Run {
    #[schema(value_type = String)]
    pub id: RunId,
    pub status: RunStatus,
    pub from_version: String,
    /// Known once `determine` is done.
    pub to_version: Option<String>,
    pub reason: Option<String>,
    #[serde(with = "moment")]
    #[schema(value_type = String)]
    pub started_at: Moment,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub finished_at: Option<Moment>,
    /// In the order in which they run.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateRunStatus)]
pub enum RunStatus {
    Running,
    NothingToDo,
    Succeeded,
    RolledBack,
    /// The way back failed: the reason says what to run.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateStep)]
pub struct Step {
    #[schema(value_type = String)]
    pub name: StepName,
    pub status: StepStatus,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub started_at: Option<Moment>,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub finished_at: Option<Moment>,
    /// What its commands have written, the last of it where that is much.
    pub output: String,
    /// Why it was skipped, or failed.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateStepStatus)]
pub enum StepStatus {
    Pending,
    Running,
    Done,
    Skipped,
    Failed,
}

/// The steps of the procedure in their order, and those that `update.toml` adds.
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

    /// Whether a step has begun, whatever came of it.
    pub fn has_begun(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.started_at.is_some())
    }

    pub fn is_done(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.status == StepStatus::Done)
    }

    pub fn is_finished(&self) -> bool {
        self.status != RunStatus::Running
    }

    /// Whether all that is left is to start the new release and to ask it how it is: it may be tried. Another run that
    /// is not finished is to be reverted.
    pub fn awaits_restart(&self) -> bool {
        !self.is_finished() && self.is_done(&StepName::Switch)
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

/// A name that is none of the procedure's is a hook's.
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

/// RFC 3339.
mod moment {
    use super::{Deserialize, Deserializer, Moment, Serializer};

    pub fn serialize<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(moment)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

mod optional_moment {
    use super::{Deserialize, Deserializer, Moment, Serializer};

    pub fn serialize<S: Serializer>(moment: &Option<Moment>, serializer: S) -> Result<S::Ok, S::Error> {
        match moment {
            Some(moment) => serializer.collect_str(moment),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }
}
