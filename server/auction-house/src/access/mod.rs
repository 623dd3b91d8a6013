//! Roles in an auction, what each of them permits, the members who have them, and the invites that give them.

mod granted;
mod invite;
mod permissions;
mod standing;
pub mod store;

pub use granted::GrantedRole;
pub use invite::Invite;

pub use permissions::Action;
pub use standing::Standing;

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::UserId;
use platform::time::Moment;

/// The role of a member, from the most to the least rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    Owner,
    Admin,
    Creator,
    Bidder,
}

/// A member of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    pub joined_at: Moment,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Owner, Self::Admin, Self::Creator, Self::Bidder];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "OWNER",
            Self::Admin => "ADMIN",
            Self::Creator => "CREATOR",
            Self::Bidder => "BIDDER",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// The one of two roles that has more rights.
    pub fn or_higher(self, other: Self) -> Self {
        Self::ALL.into_iter().find(|role| [self, other].contains(role)).unwrap_or(self)
    }
}
