//! Signals: what changed, as servers on one database notify each other of it. A signal is sent in the transaction that
//! causes it. Nothing depends on its arrival: streams poll as well, and caches keep entries for seconds only.

use std::fmt;
use std::str::FromStr;

use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{DbError, NOTIFICATION_BYTES, Transaction, WriteBatch};
use platform::token::TokenHash;

/// What has changed, so that caches drop it and streams read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Events were written for these items.
    Items(Vec<(AuctionId, ItemId)>),
    /// Events were written for these users.
    UserEvents(Vec<UserId>),
    /// More changed than one signal can name.
    Everything,
    /// This session has ended.
    Session(TokenHash),
    /// The user has changed, or their sessions have.
    User(UserId),
}

/// A signal of another release, which this one does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => {
                f.write_str("items")?;
                items.iter().try_for_each(|(auction, item)| write!(f, " {auction}/{item}"))
            }
            Self::UserEvents(users) => {
                f.write_str("user-events")?;
                users.iter().try_for_each(|user| write!(f, " {user}"))
            }
            Self::Everything => f.write_str("everything"),
            Self::Session(hash) => write!(f, "session {hash}"),
            Self::User(id) => write!(f, "user {id}"),
        }
    }
}

impl FromStr for Signal {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "items" => {
                let item = |text: &str| {
                    let (auction, item) = text.split_once('/')?;
                    Some((auction.parse().ok()?, item.parse().ok()?))
                };
                rest.split(' ').map(item).collect::<Option<_>>().map(Self::Items).ok_or(Unknown)
            }
            "user-events" => {
                let users = rest.split(' ').map(str::parse).collect::<Result<_, _>>();
                users.map(Self::UserEvents).map_err(|_| Unknown)
            }
            "everything" => Ok(Self::Everything),
            "session" => rest.parse().map(Self::Session).map_err(|_| Unknown),
            "user" => rest.parse().map(Self::User).map_err(|_| Unknown),
            _ => Err(Unknown),
        }
    }
}

/// Adds the signal to `writes`: the other servers receive it with the commit.
pub fn send_with(writes: &mut WriteBatch, signal: &Signal) {
    let text = signal.to_string();
    writes.notify(if text.len() > NOTIFICATION_BYTES { Signal::Everything.to_string() } else { text });
}

/// Sends the signal to the other servers with the commit of this transaction.
pub async fn send(conn: &mut Transaction, signal: &Signal) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    send_with(&mut writes, signal);
    conn.run(writes).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::time::Moment;

    #[test]
    fn a_signal_reads_back_as_written() {
        let now = Moment::from_millis(0).unwrap();
        let item = (AuctionId::new(now), ItemId::new(now));
        let all = [
            Signal::Items(vec![item, item]),
            Signal::UserEvents(vec![UserId::new(now), UserId::new(now)]),
            Signal::Everything,
            Signal::Session(TokenHash::of("a token")),
            Signal::User(UserId::new(now)),
        ];
        for signal in all {
            assert_eq!(signal.to_string().parse(), Ok(signal));
        }
        for strange in ["", "items", "items a/b", "user-events", "session 12", "user x", "later"] {
            assert_eq!(strange.parse::<Signal>(), Err(Unknown), "{strange}");
        }
    }
}
