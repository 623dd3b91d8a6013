//! The version of a resource that a change expects, so that two concurrent changes do not overwrite each
//! other (SPEC, section 1).

/// The versions that a change accepts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any version.
    #[default]
    None,
    /// One of these versions.
    OneOf(Vec<i64>),
}

/// The resource does not have a version that the change accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the resource has changed")]
pub struct Outdated;

impl Precondition {
    /// Whether a resource in this version may be changed.
    pub fn check(&self, version: i64) -> Result<(), Outdated> {
        match self {
            Self::None => Ok(()),
            Self::OneOf(versions) if versions.contains(&version) => Ok(()),
            Self::OneOf(_) => Err(Outdated),
        }
    }
}
