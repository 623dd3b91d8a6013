//! What several servers on one database tell each other, so that each wakes its own listeners and forgets its own
//! sessions. It is told in the transaction that causes it. Nothing depends on its being heard: streams look by
//! themselves, and sessions are kept for seconds only.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::accounts::session::TokenHash;
use crate::accounts::session_cache::SessionCache;
use crate::db::{Connection, Database, DbError, Heard, Script, TELL_BYTES};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::live::Live;
use crate::pages::known::Known;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Something happened to these.
    Items(Vec<(AuctionId, ItemId)>),
    /// Something happened to more than can be named.
    Everything,
    /// This session has ended.
    Session(TokenHash),
    /// The user has changed, or their sessions have.
    User(UserId),
}

/// What another release may tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => {
                f.write_str("items")?;
                items.iter().try_for_each(|(auction, item)| write!(f, " {auction}/{item}"))
            }
            Self::Everything => f.write_str("everything"),
            Self::Session(hash) => write!(f, "session {hash}"),
            Self::User(id) => write!(f, "user {id}"),
        }
    }
}

impl FromStr for Told {
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
            "everything" => Ok(Self::Everything),
            "session" => rest.parse().map(Self::Session).map_err(|_| Unknown),
            "user" => rest.parse().map(Self::User).map_err(|_| Unknown),
            _ => Err(Unknown),
        }
    }
}

/// Has the script tell the other servers, once it is committed.
pub fn tell(script: &mut Script, told: &Told) {
    let text = told.to_string();
    script.tell(if text.len() > TELL_BYTES { Told::Everything.to_string() } else { text });
}

/// Tells them, once this transaction is committed.
pub async fn tell_now(conn: &mut Connection, told: &Told) -> Result<(), DbError> {
    let mut script = Script::default();
    tell(&mut script, told);
    conn.run(script).await
}

/// Hears what the others tell, as long as the database is open.
pub fn follow(database: &Database, live: Live, sessions: Arc<SessionCache>, known: Arc<Known>) {
    let Some(mut listener) = database.listener() else { return };
    tokio::spawn(async move {
        while let Some(heard) = listener.next().await {
            let told = match heard {
                Heard::Text(text) => text.parse(),
                // While nothing was heard, anything may have happened.
                Heard::Gap => Ok(Told::Everything),
            };
            match told {
                Ok(Told::Items(items)) => live.wake(items),
                Ok(Told::Session(hash)) => sessions.forget(&hash),
                Ok(Told::User(id)) => {
                    sessions.forget_user(id);
                    known.forget_people();
                }
                Ok(Told::Everything) => {
                    live.wake_all();
                    sessions.forget_all();
                    known.forget_people();
                }
                Err(Unknown) => {}
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Moment;

    #[test]
    fn what_is_told_is_heard() {
        let now = Moment::from_millis(0).unwrap();
        let item = (AuctionId::new(now).unwrap(), ItemId::new(now).unwrap());
        let all = [
            Told::Items(vec![item, item]),
            Told::Everything,
            Told::Session(TokenHash::of("a token")),
            Told::User(UserId::new(now).unwrap()),
        ];
        for told in all {
            assert_eq!(told.to_string().parse(), Ok(told));
        }
        for strange in ["", "items", "items a/b", "session 12", "user x", "later"] {
            assert_eq!(strange.parse::<Told>(), Err(Unknown), "{strange}");
        }
    }
}
