//! Sessions. A session ends after 14 days without use, after 90 days in any case, at sign-out, when its user
//! ends it, and with a change of the password or the e-mail elsewhere.

mod begin;
mod cache;
mod find;
pub mod store;

pub use begin::{begin, told_of_a_full_disk};
pub use cache::SessionCache;
pub use find::{find, record_uses};

use std::ops::Deref;

use crate::device::DeviceCookie;
use crate::ids::{SessionId, UserId};
use crate::user::User;
use crate::user_agent::UserAgent;
use platform::net::ClientAddress;
use platform::time::Moment;
use platform::token::TokenHash;

const DAY_SECONDS: i64 = 24 * 60 * 60;
const IDLE_SECONDS: i64 = 14 * DAY_SECONDS;
const WHOLE_SECONDS: i64 = 90 * DAY_SECONDS;

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
