//! Roles in an auction, what each of them permits, and the members who have them.

mod permissions;
pub mod store;

pub use permissions::Action;

use serde::Serialize;
use utoipa::ToSchema;

/// The role of a member, from the most to the least rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    Owner,
    Admin,
    Creator,
    Bidder,
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
}
