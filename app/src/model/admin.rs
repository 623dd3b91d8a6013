//! The data of the Deployment Administration.

use super::wire::wire_enum;

/// An update pauses bidding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// An update is under way that will pause bidding.
    Announced,
    Begun,
    /// An update has failed, and so has its rollback: bidding pauses until its backup is restored.
    Failed,
}

wire_enum! {
    RunState {
        Running = "RUNNING",
        NothingToDo = "NOTHING_TO_DO",
        Succeeded = "SUCCEEDED",
        RolledBack = "ROLLED_BACK",
        /// The rollback failed too.
        Failed = "FAILED",
    }
}

wire_enum! {
    StepState {
        Pending = "PENDING",
        Running = "RUNNING",
        Done = "DONE",
        Skipped = "SKIPPED",
        Failed = "FAILED",
    }
}
