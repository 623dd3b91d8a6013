//! A request for a stream, and why it is refused.

use super::StreamLimit;
use super::event_batch::StreamUser;
use super::listeners::Listener;
use super::session::WatchedSession;
use crate::auctions::access::{AccessError, AuctionView};
use crate::ids::UserId;
use platform::db::DbError;
use platform::net::Client;
use platform::token::TokenHash;

#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Limit(#[from] StreamLimit),
}

impl From<DbError> for StreamError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// A request for a stream.
#[derive(Debug, Clone)]
pub struct StreamRequest {
    /// [`UserId::NOBODY`] without an account.
    pub user: UserId,
    pub client: Client,
    /// None without an account.
    pub session: Option<TokenHash>,
    /// The id of the last event that was received.
    pub after: Option<i64>,
}

impl StreamRequest {
    pub fn listener(&self, auction: &AuctionView) -> Listener {
        Listener {
            user: StreamUser { id: self.user, role: auction.role, is_outsider: auction.is_outsider() },
            session: self.session.clone().map(|session| WatchedSession::new(self.user, session)),
        }
    }
}
