//! Kinds of ids of accounts.

pub use platform::ids::UserId;

platform::ids! {
    /// An entry of the audit log.
    AuditId;
    /// A sign-in by number that failed.
    FailureId;
    GroupId;
    /// A request that adds or changes people of a group.
    ListId;
    MailId;
    SessionId;
}
