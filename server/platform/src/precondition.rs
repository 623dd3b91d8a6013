//! Which version of a thing a change was meant for, so that of two people who change it at once neither
//! overwrites what they have not seen (contract, section 1).

/// What a change asks of the version that it meets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// It is meant for whatever is there.
    #[default]
    None,
    /// It is meant for one of these versions.
    OneOf(Vec<i64>),
}

/// The thing is no longer, or was never, in a version that the change was meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it has changed meanwhile")]
pub struct Outdated;

impl Precondition {
    /// Whether a change of a thing in this version may go on.
    pub fn check(&self, version: i64) -> Result<(), Outdated> {
        match self {
            Self::None => Ok(()),
            Self::OneOf(versions) if versions.contains(&version) => Ok(()),
            Self::OneOf(_) => Err(Outdated),
        }
    }
}
