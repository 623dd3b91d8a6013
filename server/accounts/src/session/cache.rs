//! Recently used sessions, so that a busy bidder does not cost a database read for each request. This process
//! removes what it changes at once, and what another process changes when that [signals](crate::signal) it;
//! `TTL_SECONDS` bounds the delay in any case.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use platform::cache::{Miss, VersionedCache};
use platform::signals::Subscriber;
use platform::time::Moment;
use platform::token::TokenHash;

use super::SignedIn;
use crate::ids::UserId;
use crate::signal::Signal;

/// A live stream has to end within five seconds of losing its authorization (SPEC, section 2).
const TTL_SECONDS: i64 = 4;
const SESSIONS_MAX: usize = 16_384;

/// How long the use of a session is known here, until the database has it.
const USES_SECONDS: i64 = 2 * 60 * 60;

/// Sessions with their users, and when each was used.
#[derive(Debug)]
pub struct SessionCache {
    sessions: VersionedCache<TokenHash, (), Arc<SignedIn>>,
    /// The newest use of a session, up to `TTL_SECONDS` early: the database has it up to an hour late.
    uses: Mutex<HashMap<TokenHash, Moment>>,
}

impl Default for SessionCache {
    fn default() -> Self {
        Self { sessions: VersionedCache::new(TTL_SECONDS, SESSIONS_MAX), uses: Mutex::default() }
    }
}

impl SessionCache {
    /// The session with its user. A miss is to be passed to [`insert`](Self::insert) with what is read then.
    pub fn get(&self, token: &TokenHash, now: Moment) -> Result<Arc<SignedIn>, Miss> {
        self.sessions.get(token, &(), now)
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
        self.used(&token, now);
        self.sessions.insert(miss, token, (), signed_in, now, Some(ends_at));
    }

    fn used(&self, token: &TokenHash, now: Moment) {
        let mut uses = self.uses.lock();
        if uses.len() >= SESSIONS_MAX && !uses.contains_key(token) {
            let since = now.plus_seconds(-USES_SECONDS);
            uses.retain(|_, used| *used > since);
        }
        // Beyond the bound the database alone knows.
        if uses.len() < SESSIONS_MAX || uses.contains_key(token) {
            uses.insert(token.clone(), now);
        }
    }

    /// When the session was last used at this server, as far as it is known.
    pub fn last_use(&self, token: &TokenHash) -> Option<Moment> {
        self.uses.lock().get(token).copied()
    }

    /// To be called after the end of a session is committed.
    pub fn forget(&self, token: &TokenHash) {
        self.sessions.remove(token);
    }

    /// To be called after a change of the user, or the end of several of their sessions, is committed.
    pub fn forget_user(&self, id: UserId) {
        self.sessions.remove_if(|signed_in| signed_in.id == id);
    }
}

impl Subscriber<Signal> for SessionCache {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Session(hash) => self.forget(hash),
            Signal::User(id) => self.forget_user(*id),
            Signal::EveryUser => self.sessions.clear(),
        }
    }
}
