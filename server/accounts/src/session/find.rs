//! Finds the user of a session, and records the uses of sessions.

use std::sync::Arc;

use super::{SESSIONS_MAX, SessionCache, SessionTimes, SignedIn, store};
use crate::ids::UserId;
use platform::cache::Miss;
use platform::db::{Database, DbError, Transaction};
use platform::time::Moment;
use platform::token::TokenHash;

/// The use of a session is recorded once in this time.
const TOUCH_SECONDS: i64 = 60 * 60;
/// How long a use that can't be recorded waits.
const RETRY_SECONDS: i64 = 4;

/// The user of a session. The use of the session is recorded once an hour.
pub async fn find(
    db: &Database,
    cache: &SessionCache,
    token: TokenHash,
    now: Moment,
) -> Result<Option<Arc<SignedIn>>, DbError> {
    match cache.get(&token, now) {
        Ok(found) => Ok(Some(found)),
        // Boxed, since it is rare and would enlarge the future of every request.
        Err(miss) => Box::pin(load(db, cache, (token, miss), now)).await,
    }
}

async fn load(
    db: &Database,
    cache: &SessionCache,
    (token, miss): (TokenHash, Miss),
    now: Moment,
) -> Result<Option<Arc<SignedIn>>, DbError> {
    let found = store::find(&mut db.read().await?, &token, now).await?;
    let Some((signed_in, mut times)) = found else {
        return Ok(None);
    };
    if times.last_used_at.plus_seconds(TOUCH_SECONDS) <= now {
        let used = times.used(now);
        match touch(db, &token, used).await {
            Ok(()) => times = used,
            // Reads go on while nothing can be written, as during an update; a later request records the use.
            Err(error) if error.is_busy() || error.is_full() => {}
            Err(error) => return Err(error),
        }
    }
    let signed_in = Arc::new(signed_in);
    let recorded_again = times.last_used_at.plus_seconds(TOUCH_SECONDS).max(now.plus_seconds(RETRY_SECONDS));
    cache.insert(miss, token, Arc::clone(&signed_in), now, recorded_again.min(times.expires_at));
    Ok(Some(signed_in))
}

async fn touch(db: &Database, token: &TokenHash, times: SessionTimes) -> Result<(), DbError> {
    let mut db = db.write().await?;
    store::touch(&mut db, token, times.last_used_at, times.expires_at).await?;
    db.commit().await
}

/// Records when each session of the user was last used, if a further one ends the one that was not used for
/// the longest time: a script that signs in for each call ends its own.
pub async fn record_uses(
    cache: &SessionCache,
    db: &mut Transaction,
    user: UserId,
    now: Moment,
) -> Result<(), DbError> {
    let sessions = store::uses(db, user, now).await?;
    if sessions.len() < usize::try_from(SESSIONS_MAX).unwrap_or(usize::MAX) {
        return Ok(());
    }
    for (token, recorded) in sessions {
        if let Some(used) = cache.last_use(&token).filter(|used| *used > recorded) {
            store::set_last_used(db, &token, used).await?;
        }
    }
    Ok(())
}
