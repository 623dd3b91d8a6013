//! How a user stands with an auction.

use super::Role;

/// How a user stands with an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Member(Role),
    /// A manager has removed the user, who needs an invitation to come back.
    Removed,
    /// Not a member, or not signed in. Joins a FREE auction with the first bid.
    Other,
}

impl Standing {
    pub fn of(role: Option<Role>, is_removed: bool) -> Self {
        match role {
            Some(role) => Self::Member(role),
            None if is_removed => Self::Removed,
            None => Self::Other,
        }
    }

    pub fn role(self) -> Option<Role> {
        match self {
            Self::Member(role) => Some(role),
            Self::Removed | Self::Other => None,
        }
    }
}
