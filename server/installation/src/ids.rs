//! Kinds of ids of the installation.

pub use platform::ids::UserId;

platform::ids! {
    /// A run of the update.
    RunId;
}
