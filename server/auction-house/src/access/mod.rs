//! Roles in an auction, and the members who have them.

pub mod store;

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
    /// The roles that manage an auction.
    pub const MANAGERS: &[Self] = &[Self::Owner, Self::Admin];
    /// The roles that add items.
    pub const SELLERS: &[Self] = &[Self::Owner, Self::Admin, Self::Creator];

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

    pub fn manages(self) -> bool {
        Self::MANAGERS.contains(&self)
    }
}
