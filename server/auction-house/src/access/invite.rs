//! Invites to an auction.

use super::GrantedRole;
use crate::ids::{AuctionId, InviteId, UserId};
use platform::email::Email;
use platform::time::Moment;
use platform::token::LinkToken;

/// An invite that was not used yet: the user who has this e-mail may become a member with this role.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Invite {
    pub id: InviteId,
    pub auction_id: AuctionId,
    pub email: Email,
    pub role: GrantedRole,
    pub token: LinkToken,
    #[sqlx(rename = "sender_id")]
    pub sender: UserId,
    pub created_at: Moment,
    pub expires_at: Moment,
    /// When the attempts to mail it ended without success.
    pub mail_failed_at: Option<Moment>,
}

impl Invite {
    /// How long an invite works.
    pub const LIFETIME_SECONDS: i64 = 7 * 24 * 3600;

    /// Whether the invite is for the user who has this e-mail.
    pub fn is_for(&self, email: &str) -> bool {
        email.parse::<Email>().is_ok_and(|email| email.folded() == self.email.folded())
    }
}
