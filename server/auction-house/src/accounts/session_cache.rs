//! Sessions that were asked for a moment ago, so that a lively bidder does not cost a database read for each
//! request. What ends or changes a session in this process is heard at once, what does so in another as soon as that
//! [signals](crate::events) it, and within [`KEPT_SECONDS`] in any case.

use crate::events::{Signal, Subscriber};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::User;
use crate::ids::UserId;
use platform::time::Moment;
use platform::token::TokenHash;

/// A live stream, too, has to end within five seconds of losing its right (contract, section 2).
const KEPT_SECONDS: i64 = 4;
/// Sessions kept, at most. A full cache is emptied: it fills again with those that are in use.
const SESSIONS_MAX: usize = 16_384;

/// Sessions that were read a moment ago, by the hash of their token.
#[derive(Debug, Default)]
pub struct SessionCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    sessions: HashMap<TokenHash, Session>,
    /// How often something was forgotten.
    forgotten: u64,
}

#[derive(Debug)]
struct Session {
    user: Arc<User>,
    read_at: Moment,
    until: Moment,
}

/// When a session was read from the database: before or after something was forgotten.
#[derive(Debug, Clone, Copy)]
pub struct Reading(u64);

impl SessionCache {
    /// Whose session it is, if that is known; otherwise what [`keep`](Self::keep) has to be told about the
    /// reading that begins now.
    pub fn find(&self, token: &TokenHash, now: Moment) -> Result<Arc<User>, Reading> {
        let kept = self.lock();
        match kept.sessions.get(token) {
            Some(session) if session.holds(now) => Ok(Arc::clone(&session.user)),
            _ => Err(Reading(kept.forgotten)),
        }
    }

    /// Keeps what was read, unless something was forgotten meanwhile: that may have been just this.
    pub fn keep(&self, reading: Reading, token: TokenHash, user: Arc<User>, read_at: Moment, until: Moment) {
        let mut kept = self.lock();
        if kept.forgotten != reading.0 {
            return;
        }
        if kept.sessions.len() >= SESSIONS_MAX {
            kept.sessions.clear();
        }
        kept.sessions.insert(token, Session { user, read_at, until });
    }

    /// To be called once a session's end is committed.
    pub fn forget(&self, token: &TokenHash) {
        let mut kept = self.lock();
        kept.forgotten += 1;
        kept.sessions.remove(token);
    }

    /// To be called once a change of the user, or the end of several of their sessions, is committed.
    pub fn forget_user(&self, id: UserId) {
        let mut kept = self.lock();
        kept.forgotten += 1;
        kept.sessions.retain(|_, session| session.user.id != id);
    }

    /// To be called where anything may have happened.
    pub fn forget_all(&self) {
        let mut kept = self.lock();
        kept.forgotten += 1;
        kept.sessions.clear();
    }

    /// Nothing below panics while it holds the lock, and a cache is whole at any time.
    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for SessionCache {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Session(hash) => self.forget(hash),
            Signal::User(id) => self.forget_user(*id),
            Signal::Everything => self.forget_all(),
            Signal::Items(_) => {}
        }
    }
}

impl Session {
    /// Also where the clock was set back.
    fn holds(&self, now: Moment) -> bool {
        (self.read_at..self.read_at.plus_seconds(KEPT_SECONDS)).contains(&now) && now < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    fn user() -> Arc<User> {
        let id = UserId::new(at(0)).unwrap();
        let (email, name) = ("a@example.org".into(), "Ada".into());
        Arc::new(User { id, email, name, locale: None, created_at: at(0) })
    }

    fn keep(cache: &SessionCache, token: &TokenHash, user: &Arc<User>, until: Moment) {
        let reading = cache.find(token, at(100)).unwrap_err();
        cache.keep(reading, token.clone(), user.clone(), at(100), until);
    }

    #[test]
    fn a_session_is_kept_for_seconds_and_not_past_its_end() {
        let (cache, token, ada) = (SessionCache::default(), TokenHash::of("a"), user());
        keep(&cache, &token, &ada, at(1000));
        assert_eq!(cache.find(&token, at(103)).ok(), Some(ada.clone()));
        assert!(cache.find(&token, at(104)).is_err());
        assert!(cache.find(&token, at(99)).is_err(), "the clock was set back");
        let short = TokenHash::of("b");
        keep(&cache, &short, &ada, at(102));
        assert!(cache.find(&short, at(101)).is_ok());
        assert!(cache.find(&short, at(102)).is_err());
    }

    #[test]
    fn what_was_read_before_something_was_forgotten_is_not_kept() {
        let (cache, token, ada) = (SessionCache::default(), TokenHash::of("a"), user());
        let forgets: [&dyn Fn(); 2] = [&|| cache.forget(&token), &|| cache.forget_user(ada.id)];
        for forget in forgets {
            let reading = cache.find(&token, at(100)).unwrap_err();
            forget();
            cache.keep(reading, token.clone(), ada.clone(), at(100), at(1000));
            assert!(cache.find(&token, at(100)).is_err());
            keep(&cache, &token, &ada, at(1000));
            forget();
            assert!(cache.find(&token, at(100)).is_err());
        }
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let (cache, ada) = (SessionCache::default(), user());
        for n in 0..=SESSIONS_MAX {
            keep(&cache, &TokenHash::of(&n.to_string()), &ada, at(1000));
        }
        assert_eq!(cache.lock().sessions.len(), 1);
    }
}
