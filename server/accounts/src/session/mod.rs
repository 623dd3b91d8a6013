//! Sessions. A session ends after 14 days without use, after 90 days in any case, at sign-out, when its user
//! ends it, and with a change of the password or the e-mail elsewhere.

pub mod store;

use std::ops::Deref;
use std::sync::Arc;

use crate::codes;
use crate::context::Accounts;
use crate::device::DeviceCookie;
use crate::ids::{SessionId, UserId};
use crate::signal::{self, Signal};
use crate::user::User;
use crate::user_agent::UserAgent;
use platform::cache::Miss;
use platform::db::{DbError, Transaction};
use platform::http::problem::Problem;
use platform::net::ClientAddress;
use platform::time::Moment;
use platform::token::{Token, TokenHash};
use platform::verb::VerbError;

const HOUR_SECONDS: i64 = 60 * 60;
const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
const IDLE_SECONDS: i64 = 14 * DAY_SECONDS;
const WHOLE_SECONDS: i64 = 90 * DAY_SECONDS;
/// The use of a session is recorded once in this time.
const TOUCH_SECONDS: i64 = HOUR_SECONDS;
/// `Retry-After` of a sign-in while the disk is full.
const FULL_SECONDS: u32 = 30;
/// Sessions of one user. A further one takes the place of the one that was not used for the longest time.
pub const SESSIONS_MAX: i64 = 50;

/// Where a request comes from, known before its user is.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub address: ClientAddress,
    /// The session that the request names, which may have ended.
    pub session: Option<TokenHash>,
    pub user_agent: Option<UserAgent>,
    /// The browser's device cookie. Another user may have set it.
    pub device: Option<DeviceCookie>,
}

/// The user of a request, and the session that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub session: SessionId,
    pub user: User,
}

impl Deref for SignedIn {
    type Target = User;

    fn deref(&self) -> &User {
        &self.user
    }
}

/// When a session began, when it was last used, and when it ends without further use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionTimes {
    pub created_at: Moment,
    /// Up to an hour before the last request.
    pub last_used_at: Moment,
    pub expires_at: Moment,
}

/// A session as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Session {
    pub id: SessionId,
    pub created_at: Moment,
    /// Up to an hour before the last request.
    pub last_used_at: Moment,
    /// Where the user signed in.
    pub address: String,
    pub user_agent: Option<String>,
}

/// A session that begins.
pub struct NewSession<'a> {
    pub id: SessionId,
    pub user: UserId,
    pub token: TokenHash,
    pub times: SessionTimes,
    pub address: ClientAddress,
    pub user_agent: Option<&'a UserAgent>,
}

impl SessionTimes {
    fn beginning(now: Moment) -> Self {
        Self { created_at: now, last_used_at: now, expires_at: now }.used(now)
    }

    fn used(self, now: Moment) -> Self {
        let whole = self.created_at.plus_seconds(WHOLE_SECONDS);
        Self { last_used_at: now, expires_at: now.plus_seconds(IDLE_SECONDS).min(whole), ..self }
    }
}

/// The error of a sign-in, in words that say that a full disk keeps everybody out who is not signed in.
pub fn told_of_a_full_disk<R>(error: VerbError<R>) -> VerbError<R> {
    match error {
        VerbError::Db(error) if error.is_full() => {
            let detail = "The server’s disk is full: nobody can sign in until its owner makes room. Browsers that are signed in still show everything.";
            Problem::new(codes::STORAGE_FULL, detail).retry_after(FULL_SECONDS).into()
        }
        error => error,
    }
}

/// Begins a session in place of the one that the visitor's request came with.
pub async fn begin(
    db: &mut Transaction,
    user: UserId,
    visitor: &Visitor,
    now: Moment,
) -> Result<Token, DbError> {
    let token = Token::new()?;
    if let Some(old) = &visitor.session {
        store::delete(db, old).await?;
        signal::send(db, &Signal::Session(old.clone())).await?;
    }
    store::delete_old(db, user, now, SESSIONS_MAX - 1).await?;
    let new = NewSession {
        id: SessionId::new(now),
        user,
        token: token.hash(),
        times: SessionTimes::beginning(now),
        address: visitor.address,
        user_agent: visitor.user_agent.as_ref(),
    };
    store::insert(db, new).await?;
    Ok(token)
}

/// Records when each session of the user was last used, if a further one ends the one that was not used for
/// the longest time: a script that signs in for each call ends its own.
pub async fn record_uses(
    accounts: &Accounts,
    db: &mut Transaction,
    user: UserId,
    now: Moment,
) -> Result<(), DbError> {
    let sessions = store::uses(db, user, now).await?;
    if sessions.len() < usize::try_from(SESSIONS_MAX).unwrap_or(usize::MAX) {
        return Ok(());
    }
    for (token, recorded) in sessions {
        if let Some(used) = accounts.sessions.last_use(&token).filter(|used| *used > recorded) {
            store::set_last_used(db, &token, used).await?;
        }
    }
    Ok(())
}

/// The user of a session. The use of the session is recorded once an hour.
pub async fn find(accounts: &Accounts, token: TokenHash) -> Result<Option<Arc<SignedIn>>, DbError> {
    let now = accounts.clock.now();
    match accounts.sessions.get(&token, now) {
        Ok(found) => Ok(Some(found)),
        // Boxed, since it is rare and would enlarge the future of every request.
        Err(miss) => Box::pin(read(accounts, token, miss, now)).await,
    }
}

async fn read(
    accounts: &Accounts,
    token: TokenHash,
    miss: Miss,
    now: Moment,
) -> Result<Option<Arc<SignedIn>>, DbError> {
    let found = store::find(&mut accounts.db.read().await?, &token, now).await?;
    let Some((signed_in, times)) = found else {
        return Ok(None);
    };
    if times.last_used_at.plus_seconds(TOUCH_SECONDS) <= now {
        match touch(accounts, &token, times.used(now)).await {
            // Reads go on while nothing can be written, as during an update; a later request records the use.
            Err(error) if error.is_busy() || error.is_full() => {}
            touched => touched?,
        }
    }
    let signed_in = Arc::new(signed_in);
    accounts.sessions.insert(miss, token, Arc::clone(&signed_in), now, times.expires_at);
    Ok(Some(signed_in))
}

async fn touch(accounts: &Accounts, token: &TokenHash, times: SessionTimes) -> Result<(), DbError> {
    let mut db = accounts.db.write().await?;
    store::touch(&mut db, token, times.last_used_at, times.expires_at).await?;
    db.commit().await
}
