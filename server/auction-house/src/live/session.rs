//! The session of a stream. It is looked up when it may have ended, not at each check.

use std::collections::HashMap;

use crate::ids::UserId;
use accounts::Signal;
use platform::time::Moment;
use platform::token::TokenHash;

/// A session that a stream depends on.
#[derive(Debug, Clone)]
pub struct WatchedSession {
    pub hash: TokenHash,
    user: UserId,
    /// When it ended, if it has not been used since it was looked up. `None` before that.
    expires_at: Option<Moment>,
    /// It may have ended since it was looked up.
    is_suspect: bool,
}

impl WatchedSession {
    pub fn new(user: UserId, hash: TokenHash) -> Self {
        Self { hash, user, expires_at: None, is_suspect: false }
    }

    /// Whether it is to be looked up. To be called just before: what is heard from then on counts.
    pub fn take_due(&mut self, now: Moment) -> bool {
        let is_suspect = std::mem::take(&mut self.is_suspect);
        is_suspect || self.expires_at.is_none_or(|end| end <= now)
    }

    /// Takes note of a change of accounts.
    pub fn hear(&mut self, signal: &Signal) {
        self.is_suspect |= match signal {
            Signal::Session(hash) => *hash == self.hash,
            Signal::User(user) => *user == self.user,
            Signal::EveryUser => true,
        };
    }

    /// Has it looked up once more, since that has failed.
    pub fn suspect(&mut self) {
        self.is_suspect = true;
    }

    /// Takes note of what was looked up: the sessions that last, with their ends. Whether this one does.
    pub fn lasts(&mut self, living: &HashMap<String, Moment>) -> bool {
        self.expires_at = living.get(&self.hash.to_string()).copied();
        self.expires_at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    #[test]
    fn a_session_is_looked_up_at_first_when_it_may_end_and_after_a_signal() {
        let user = UserId::new(at(0));
        let hash = TokenHash::of("a");
        let mut session = WatchedSession::new(user, hash.clone());
        assert!(session.take_due(at(0)));
        assert!(session.lasts(&[(hash.to_string(), at(60))].into()));
        assert!(!session.take_due(at(59)));
        assert!(session.take_due(at(60)), "the end may have moved");
        assert!(session.lasts(&[(hash.to_string(), at(120))].into()));
        session.hear(&Signal::User(UserId::new(at(0))));
        session.hear(&Signal::Session(TokenHash::of("b")));
        assert!(!session.take_due(at(61)), "others");
        for signal in [Signal::User(user), Signal::Session(hash), Signal::EveryUser] {
            session.hear(&signal);
            assert!(session.take_due(at(61)), "{signal:?}");
            assert!(!session.take_due(at(61)), "once");
        }
        assert!(!session.lasts(&HashMap::new()));
    }
}
