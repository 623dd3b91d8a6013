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

use crate::ids::UserId;
use platform::text_enum;
use platform::time::Moment;

text_enum! {
    /// The role of a member, from the most to the least rights.
    #[derive(PartialOrd, Ord)]
    pub enum Role {
        Owner = "OWNER",
        Admin = "ADMIN",
        Creator = "CREATOR",
        Bidder = "BIDDER",
    }
}

/// A member of an auction.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Member {
    #[sqlx(rename = "user_id")]
    pub id: UserId,
    pub name: String,
    pub role: Role,
    pub joined_at: Moment,
}

impl Role {
    /// The one of two roles that has more rights.
    pub fn or_higher(self, other: Self) -> Self {
        Self::ALL.into_iter().find(|role| [self, other].contains(role)).unwrap_or(self)
    }
}
