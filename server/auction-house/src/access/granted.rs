//! Roles that are given to members, by an invite or later.

use super::Role;
use platform::text_enum;

text_enum! {
    /// Every role except OWNER, which only a transfer gives.
    pub enum GrantedRole {
        Admin = "ADMIN",
        Clerk = "CLERK",
        Creator = "CREATOR",
        Bidder = "BIDDER",
    }
}

impl From<GrantedRole> for Role {
    fn from(granted: GrantedRole) -> Self {
        match granted {
            GrantedRole::Admin => Self::Admin,
            GrantedRole::Clerk => Self::Clerk,
            GrantedRole::Creator => Self::Creator,
            GrantedRole::Bidder => Self::Bidder,
        }
    }
}
