//! Who may know of an auction, and who may change it. Every room below an auction asks here first.

use super::{Auction, JoinMode, store};
use crate::access::Role;
use crate::ids::{AuctionId, UserId};
use platform::db::Connection;
use platform::time::Moment;
pub use platform::verb::AccessError;

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
