//! Signals of accounts: which sessions have ended and which users have changed.

use std::fmt;
use std::str::FromStr;

use crate::ids::UserId;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::signals;
pub use platform::signals::send;
use platform::token::TokenHash;

/// What has changed, so that caches drop it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// This session has ended.
    Session(TokenHash),
    /// The user has changed, or their sessions have.
    User(UserId),
    /// Any account may have changed.
    EveryUser,
}

/// A signal of another kind or another release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(hash) => write!(f, "session {hash}"),
            Self::User(id) => write!(f, "user {id}"),
            Self::EveryUser => f.write_str("every-user"),
        }
    }
}

impl FromStr for Signal {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "session" => rest.parse().map(Self::Session).map_err(|_| Unknown),
            "user" => rest.parse().map(Self::User).map_err(|_| Unknown),
            "every-user" => Ok(Self::EveryUser),
            _ => Err(Unknown),
        }
    }
}

impl signals::Signal for Signal {
    const EVERYTHING: Self = Self::EveryUser;
}

/// Sends that these users have changed, with the commit of the transaction.
pub async fn send_of_users(db: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    users.iter().for_each(|user| signals::send_with(&mut writes, &Signal::User(*user)));
    db.run(writes).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::time::Moment;

    #[test]
    fn a_signal_reads_back_as_written() {
        let user = UserId::new(Moment::from_millis(0).unwrap());
        for signal in [Signal::Session(TokenHash::of("a token")), Signal::User(user), Signal::EveryUser] {
            assert_eq!(signal.to_string().parse(), Ok(signal));
        }
        for strange in ["", "session 12", "user x", "everything", "later"] {
            assert_eq!(strange.parse::<Signal>(), Err(Unknown), "{strange}");
        }
    }
}
