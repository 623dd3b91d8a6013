//! Kinds of ids of the installation.

pub use platform::ids::UserId;

platform::ids! {
    /// An entry of the audit log.
    AuditId;
    /// A run of the update.
    RunId;
}
