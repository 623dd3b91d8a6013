//! Kinds of ids of the installation.

pub use platform::ids::UserId;

platform::ids! {
    /// Of an entry of the audit log.
    AuditId;
    /// Of a run of the update.
    RunId;
}
