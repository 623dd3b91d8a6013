//! Recently used sessions, so that a busy bidder does not cost a database read for each request. This process
//! removes what it changes at once, and what another process changes when that [signals](crate::signal) it;
//! `TTL_SECONDS` bounds the delay in any case.

use std::sync::Arc;

use platform::cache::{Miss, VersionedCache};
use platform::signals::Subscriber;
use platform::time::Moment;
use platform::token::TokenHash;

use super::session::SignedIn;
use crate::ids::UserId;
use crate::signal::Signal;

/// A live stream has to end within five seconds of losing its authorization (SPEC, section 2).
const TTL_SECONDS: i64 = 4;
const SESSIONS_MAX: usize = 16_384;

/// Sessions with their users.
#[derive(Debug)]
pub struct SessionCache(VersionedCache<TokenHash, (), Arc<SignedIn>>);

impl Default for SessionCache {
    fn default() -> Self {
        Self(VersionedCache::new(TTL_SECONDS, SESSIONS_MAX))
    }
}

impl SessionCache {
    /// The session with its user. A miss is to be passed to [`insert`](Self::insert) with what is read then.
    pub fn get(&self, token: &TokenHash, now: Moment) -> Result<Arc<SignedIn>, Miss> {
        self.0.get(token, &(), now)
    }

    /// Stores a session that was read at `now` and ends at `ends_at`.
    pub fn insert(
        &self,
        miss: Miss,
        token: TokenHash,
        signed_in: Arc<SignedIn>,
        now: Moment,
        ends_at: Moment,
    ) {
        self.0.insert(miss, token, (), signed_in, now, Some(ends_at));
    }

    /// To be called after the end of a session is committed.
    pub fn forget(&self, token: &TokenHash) {
        self.0.remove(token);
    }

    /// To be called after a change of the user, or the end of several of their sessions, is committed.
    pub fn forget_user(&self, id: UserId) {
        self.0.remove_if(|signed_in| signed_in.id == id);
    }
}

impl Subscriber<Signal> for SessionCache {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Session(hash) => self.forget(hash),
            Signal::User(id) => self.forget_user(*id),
            Signal::EveryUser => self.0.clear(),
        }
    }
}
