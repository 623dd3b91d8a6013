//! Sessions. A session ends after 14 days without use, after 90 days in any case,
//! at sign-out, and with a change of the password elsewhere.

use std::sync::Arc;

use super::Accounts;
use super::{User, store};
use crate::events::signal::{self, Signal};
use crate::ids::UserId;
use platform::cache::Miss;
use platform::db::{DbError, Transaction};
use platform::time::Moment;
use platform::token::{Token, TokenHash};

const DAY_SECONDS: i64 = 24 * 60 * 60;
const IDLE_SECONDS: i64 = 14 * DAY_SECONDS;
const WHOLE_SECONDS: i64 = 90 * DAY_SECONDS;

fn ends(since: Moment, now: Moment) -> Moment {
    now.plus_seconds(IDLE_SECONDS).min(since.plus_seconds(WHOLE_SECONDS))
}

/// Begins a session in place of `old`, the one that the request came with.
pub async fn begin(
    db: &mut Transaction,
    user: UserId,
    old: Option<&TokenHash>,
    now: Moment,
) -> Result<Token, DbError> {
    let token = Token::new()?;
    if let Some(old) = old {
        store::delete_session(db, old).await?;
        signal::send(db, &Signal::Session(old.clone())).await?;
    }
    store::delete_ended_sessions(db, user, now).await?;
    store::insert_session(db, &token.hash(), user, now, ends(now, now)).await?;
    Ok(token)
}

/// The user of a session. A session in use is extended once a day.
pub async fn find(accounts: &Accounts, token: TokenHash) -> Result<Option<Arc<User>>, DbError> {
    let now = accounts.clock.now();
    match accounts.sessions.get(&token, now) {
        Ok(user) => Ok(Some(user)),
        // Boxed, since it is rare and would enlarge the future of every request.
        Err(miss) => Box::pin(read(accounts, token, miss, now)).await,
    }
}

async fn read(
    accounts: &Accounts,
    token: TokenHash,
    miss: Miss,
    now: Moment,
) -> Result<Option<Arc<User>>, DbError> {
    let found = store::session(&mut accounts.db.read().await?, &token, now).await?;
    let Some((user, since, until)) = found else {
        return Ok(None);
    };
    if until.plus_seconds(DAY_SECONDS) <= ends(since, now) {
        match accounts.db.write().await {
            Ok(mut db) => {
                store::prolong_session(&mut db, &token, ends(since, now)).await?;
                db.commit().await?;
            }
            // Reads go on during an update; a later request extends the session.
            Err(error) if error.is_paused() => {}
            Err(error) => return Err(error),
        }
    }
    let user = Arc::new(user);
    accounts.sessions.insert(miss, token, Arc::clone(&user), now, until);
    Ok(Some(user))
}
