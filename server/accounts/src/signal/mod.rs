//! Signals of accounts: which sessions have ended and which users have changed. Each is written in the
//! transaction of its cause, too, and all servers read once a second what others have written: what a server
//! knows of a session lasts until then, and nothing is missed.

mod follow;
mod store;

pub use follow::{Current, follow};

use std::fmt;
use std::str::FromStr;

use crate::ids::UserId;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::signals;
use platform::token::TokenHash;

/// Users of one change that are named one by one. More are every user.
const NAMED_MAX: usize = 50;

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

impl signals::SignalType for Signal {
    const EVERYTHING: Self = Self::EveryUser;
}

/// Sends the signal to all servers with the commit of the transaction.
pub async fn send(db: &mut Transaction, signal: &Signal) -> Result<(), DbError> {
    send_all(db, std::slice::from_ref(signal)).await
}

/// Sends that these users have changed, with the commit of the transaction.
pub async fn send_of_users(db: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    if users.len() > NAMED_MAX {
        return send(db, &Signal::EveryUser).await;
    }
    send_all(db, &Vec::from_iter(users.iter().copied().map(Signal::User))).await
}

async fn send_all(db: &mut Transaction, all: &[Signal]) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    store::insert(&mut writes, all)?;
    all.iter().for_each(|signal| signals::send_with(&mut writes, signal));
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
