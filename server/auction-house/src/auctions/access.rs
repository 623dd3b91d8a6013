//! Authorization for an auction. Every resource within an auction is authorized here first.

use super::{Auction, AuctionTerms, JoinMode, ReadableBy, store};
use crate::access::{Action, Role};
use crate::ids::{AuctionId, UserId};
use platform::db::Connection;
use platform::time::Moment;
use platform::token::LinkToken;
pub use platform::verb::AccessError;

/// An auction as one viewer sees it.
#[derive(Debug, Clone)]
pub struct AuctionView {
    pub auction: Auction,
    /// [`UserId::NOBODY`] without an account.
    pub viewer: UserId,
    /// None for a viewer who is no member.
    pub role: Option<Role>,
}

/// Who may know that an auction exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionReaders {
    Members,
    SignedIn,
    Anyone,
}

impl AuctionReaders {
    pub fn include(self, viewer: UserId, role: Option<Role>) -> bool {
        match self {
            Self::Members => role.is_some(),
            Self::SignedIn => viewer != UserId::NOBODY,
            Self::Anyone => true,
        }
    }
}

impl AuctionTerms {
    pub fn readers(&self) -> AuctionReaders {
        match (self.readable_by, self.join_mode) {
            (ReadableBy::Anyone, _) => AuctionReaders::Anyone,
            (ReadableBy::Members, JoinMode::Free) => AuctionReaders::SignedIn,
            (ReadableBy::Members, JoinMode::Link | JoinMode::InviteOnly) => AuctionReaders::Members,
        }
    }

    /// Whether a viewer with this role reads as everyone does, and so may learn no name of a person.
    pub fn is_outsider(&self, role: Option<Role>) -> bool {
        role.is_none() && self.readable_by == ReadableBy::Anyone
    }
}

/// The auction, for its members, for every signed-in user if it is FREE, and for everyone if anyone may read
/// it. Only a [`Reader`](accounts::extract::Reader) is a viewer without an account.
pub async fn authorize(
    conn: &mut Connection,
    auction_id: AuctionId,
    viewer: UserId,
    now: Moment,
) -> Result<AuctionView, AccessError> {
    let found = store::find(conn, auction_id, viewer, now).await?;
    found.filter(AuctionView::is_visible).ok_or_else(|| AccessError::hidden_from(viewer))
}

impl AuctionView {
    /// Refuses viewers whose role does not permit the action.
    pub fn require(self, action: Action) -> Result<Self, AccessError> {
        if self.may(action) { Ok(self) } else { Err(AccessError::Forbidden) }
    }

    /// Whether the viewer may know that the auction exists.
    pub fn is_visible(&self) -> bool {
        self.auction.terms.readers().include(self.viewer, self.role)
    }

    /// Whether the viewer may learn no name of a person.
    pub fn is_outsider(&self) -> bool {
        self.auction.terms.is_outsider(self.role)
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
