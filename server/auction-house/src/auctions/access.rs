//! Who may know of an auction, and who may change it. Every room below an auction asks here first.

use super::{Auction, JoinMode, store};
use crate::access::Role;
use crate::ids::{AuctionId, UserId};
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Why somebody does not get at an auction.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// There is none, or none that they may know of.
    #[error("there is no such auction")]
    NotFound,
    #[error("their role does not allow it")]
    Forbidden,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// An auction that somebody may see.
#[derive(Debug, Clone)]
pub struct SeenAuction {
    pub auction: Auction,
    pub viewer: UserId,
    /// None for who sees a FREE auction without being in it.
    pub role: Option<Role>,
}

/// The auction as `viewer` sees it: members always, everyone signed in if it is FREE.
pub async fn see(
    conn: &mut Connection,
    auction_id: AuctionId,
    viewer: UserId,
    now: Moment,
) -> Result<SeenAuction, AccessError> {
    let found = store::find(conn, auction_id, viewer, now).await?;
    found.filter(SeenAuction::is_visible).ok_or(AccessError::NotFound)
}

impl SeenAuction {
    /// Goes on only for members with one of these roles.
    pub fn require(self, roles: &[Role]) -> Result<Self, AccessError> {
        if self.role.is_some_and(|role| roles.contains(&role)) {
            Ok(self)
        } else {
            Err(AccessError::Forbidden)
        }
    }

    /// Whether its viewer may know of it.
    pub fn is_visible(&self) -> bool {
        self.role.is_some() || self.auction.terms.join_mode == JoinMode::Free
    }

    pub fn manages(&self) -> bool {
        self.role.is_some_and(Role::manages)
    }
}
