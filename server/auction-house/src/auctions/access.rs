//! Authorization for an auction. Every resource within an auction is authorized here first.

use super::{Auction, JoinMode, store};
use crate::access::{Action, Role};
use crate::ids::{AuctionId, UserId};
use platform::db::Connection;
use platform::time::Moment;
use platform::token::LinkToken;
pub use platform::verb::AccessError;

/// An auction as one user sees it.
#[derive(Debug, Clone)]
pub struct AuctionView {
    pub auction: Auction,
    pub viewer: UserId,
    /// None for a user who sees a FREE auction without being a member.
    pub role: Option<Role>,
}

/// The auction, for its members, and for every signed-in user if it is FREE.
pub async fn authorize(
    conn: &mut Connection,
    auction_id: AuctionId,
    viewer: UserId,
    now: Moment,
) -> Result<AuctionView, AccessError> {
    let found = store::find(conn, auction_id, viewer, now).await?;
    found.filter(AuctionView::is_visible).ok_or(AccessError::NotFound)
}

impl AuctionView {
    /// Refuses viewers whose role does not permit the action.
    pub fn require(self, action: Action) -> Result<Self, AccessError> {
        if self.may(action) { Ok(self) } else { Err(AccessError::Forbidden) }
    }

    /// Whether the viewer may know that the auction exists.
    pub fn is_visible(&self) -> bool {
        self.role.is_some() || self.auction.terms.join_mode == JoinMode::Free
    }

    /// The token of the link with which others join, if there is one and the viewer may pass it on.
    pub fn link(&self) -> Option<&LinkToken> {
        let is_link = self.auction.terms.join_mode == JoinMode::Link;
        (is_link && self.may(Action::ManageMembers)).then_some(&self.auction.link_token)
    }

    /// Whether the viewer may invite users as BIDDER.
    pub fn may_invite(&self) -> bool {
        let every_member_may = self.role.is_some() && self.auction.terms.member_can_invite;
        every_member_may || self.may(Action::ManageMembers)
    }

    pub fn may(&self, action: Action) -> bool {
        self.role.is_some_and(|role| role.may(action))
    }
}
