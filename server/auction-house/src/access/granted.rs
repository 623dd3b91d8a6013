//! Roles that are given to members, by an invite or later.

use std::fmt;
use std::str::FromStr;

use utoipa::ToSchema;

use super::Role;

/// Every role except OWNER, which only a transfer gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GrantedRole {
    Admin,
    Creator,
    Bidder,
}

/// The text is not such a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be ADMIN, CREATOR or BIDDER")]
pub struct NotGranted;

impl From<GrantedRole> for Role {
    fn from(granted: GrantedRole) -> Self {
        match granted {
            GrantedRole::Admin => Self::Admin,
            GrantedRole::Creator => Self::Creator,
            GrantedRole::Bidder => Self::Bidder,
        }
    }
}

impl FromStr for GrantedRole {
    type Err = NotGranted;

    fn from_str(text: &str) -> Result<Self, NotGranted> {
        match Role::named(text) {
            Some(Role::Admin) => Ok(Self::Admin),
            Some(Role::Creator) => Ok(Self::Creator),
            Some(Role::Bidder) => Ok(Self::Bidder),
            Some(Role::Owner) | None => Err(NotGranted),
        }
    }
}

impl fmt::Display for GrantedRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Role::from(*self).as_str())
    }
}
