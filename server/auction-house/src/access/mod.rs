//! Roles in an auction, what each of them permits, the members who have them, and the invites that give them.

mod granted;
mod invite;
mod named;
mod permissions;
mod standing;
pub mod store;

pub use granted::GrantedRole;
pub use invite::Invite;
pub use named::{MemberKey, NamedMember};

pub use permissions::Action;
pub use standing::Standing;

use crate::ids::UserId;
use accounts::groups::PersonNumber;
use platform::text_enum;
use platform::time::Moment;

text_enum! {
    /// The role of a member, from the most to the least rights.
    #[derive(PartialOrd, Ord)]
    pub enum Role {
        Owner = "OWNER",
        Admin = "ADMIN",
        /// Sells in the hall: bids for others, puts items on the block, and hammers.
        Clerk = "CLERK",
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
    /// In the hall, or wherever the sale is.
    pub present: bool,
}

/// What bids need of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    pub role: Role,
    /// In the group of the auction.
    pub number: Option<PersonNumber>,
}

impl Role {
    /// The one of two roles that has more rights.
    pub fn or_higher(self, other: Self) -> Self {
        Self::ALL.into_iter().find(|role| [self, other].contains(role)).unwrap_or(self)
    }
}
