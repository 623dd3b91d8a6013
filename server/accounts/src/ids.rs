//! Kinds of ids of accounts.

pub use platform::ids::UserId;

platform::ids! {
    /// An entry of the audit log.
    AuditId;
    SessionId;
}
