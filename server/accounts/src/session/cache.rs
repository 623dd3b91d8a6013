//! Recently used sessions, so that a bidder does not cost a database read for each request. One is known
//! until its user or it changes: this process removes what it changes at once, and what others change when
//! they [signal](crate::signal) it, or when it reads what they have written.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use platform::cache::{Miss, VersionedCache};
use platform::signals::Subscriber;
use platform::time::Moment;
use platform::token::TokenHash;

use super::SignedIn;
use crate::ids::UserId;
use crate::signal::{Current, Signal};

/// Bounds how long a change is missed that nobody signals, such as a manual write to the database.
const TTL_SECONDS: i64 = 60;
const SESSIONS_MAX: usize = 16_384;

/// How long the use of a session is known here, until the database has it.
const USES_SECONDS: i64 = 2 * 60 * 60;
/// The use of a session is noted once in this time.
const NOTED_SECONDS: i64 = 4;

/// Sessions with their users, and when each was used.
#[derive(Debug)]
pub struct SessionCache {
    sessions: VersionedCache<TokenHash, (), Arc<Known>>,
    /// The newest use of a session, up to `NOTED_SECONDS` early: the database has it up to an hour late.
    uses: Mutex<HashMap<TokenHash, Moment>>,
    current: Current,
}

#[derive(Debug)]
struct Known {
    signed_in: Arc<SignedIn>,
    /// When its use was noted, in milliseconds.
    noted_at: AtomicI64,
}

impl Default for SessionCache {
    fn default() -> Self {
        let sessions = VersionedCache::new(TTL_SECONDS, SESSIONS_MAX);
        Self { sessions, uses: Mutex::default(), current: Current::default() }
    }
}

impl SessionCache {
    /// Whether all changes are heard: until then nothing is known.
    pub fn current(&self) -> &Current {
        &self.current
    }

    /// The session with its user. A miss is to be passed to [`insert`](Self::insert) with what is read then.
    pub fn get(&self, token: &TokenHash, now: Moment) -> Result<Arc<SignedIn>, Miss> {
        if !self.current.holds() {
            return Err(self.sessions.miss());
        }
        let known = self.sessions.get(token, &(), now)?;
        if known.noted_at.load(Ordering::Relaxed) + NOTED_SECONDS * 1000 <= now.millis() {
            known.noted_at.store(now.millis(), Ordering::Relaxed);
            self.used(token, now);
        }
        Ok(Arc::clone(&known.signed_in))
    }

    /// Stores a session that was read at `now` and is to be read again at `until`, at the latest.
    pub fn insert(&self, miss: Miss, token: TokenHash, signed_in: Arc<SignedIn>, now: Moment, until: Moment) {
        self.used(&token, now);
        let known = Known { signed_in, noted_at: AtomicI64::new(now.millis()) };
        self.sessions.insert(miss, token, (), Arc::new(known), now, Some(until));
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
        self.sessions.remove_if(|known| known.signed_in.id == id);
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

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;
    use crate::ids::SessionId;
    use crate::preferences::Preferences;
    use crate::user::User;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    /// A cache that knows one session, and its user.
    fn knowing(token: &TokenHash) -> (SessionCache, UserId) {
        let (cache, user) = (SessionCache::default(), UserId::new(at(0)));
        let signed_in = SignedIn {
            session: SessionId::new(at(0)),
            user: User {
                id: user,
                email: None,
                email_verified_at: None,
                email_failed_at: None,
                name: "Ada".to_owned(),
                locale: None,
                preferences: Preferences::default(),
                has_second_factor: false,
                created_at: at(0),
            },
        };
        let miss = cache.get(token, at(0)).unwrap_err();
        cache.insert(miss, token.clone(), Arc::new(signed_in), at(0), at(600));
        (cache, user)
    }

    #[test]
    fn a_session_that_rests_is_known_while_all_changes_are_heard() {
        let token = TokenHash::of("a token");
        let (cache, _) = knowing(&token);
        assert!(cache.get(&token, at(1)).is_err(), "nothing is heard");
        cache.current().confirm(Instant::now());
        for (seconds, is_known) in [(1, true), (59, true), (60, false)] {
            assert_eq!(cache.get(&token, at(seconds)).is_ok(), is_known, "after {seconds} s");
        }
        assert_eq!(cache.last_use(&token), Some(at(59)));
    }

    #[test]
    fn a_change_of_the_user_or_the_session_ends_what_is_known() {
        let token = TokenHash::of("a token");
        let knows_after = |hear: &dyn Fn(UserId) -> Signal| {
            let (cache, user) = knowing(&token);
            cache.current().confirm(Instant::now());
            cache.hear(&hear(user));
            cache.get(&token, at(1)).is_ok()
        };
        assert!(!knows_after(&Signal::User));
        assert!(!knows_after(&|_| Signal::Session(token.clone())));
        assert!(!knows_after(&|_| Signal::EveryUser));
        assert!(knows_after(&|_| Signal::User(UserId::new(at(9)))));
        assert!(knows_after(&|_| Signal::Session(TokenHash::of("another"))));
    }
}
