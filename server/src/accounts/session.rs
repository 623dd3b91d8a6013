//! Sessions: who a request comes from. A session ends after 14 days without use, after 90 days in any case,
//! at sign-out, and with a change of the password elsewhere.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::session_cache::Reading;
use super::{User, store};
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::entropy::{self, NoEntropy};
use crate::http::client_address::ClientAddress;
use crate::ids::UserId;
use crate::instances::{self, Told};
use crate::state::AppState;

const DAY_SECONDS: i64 = 24 * 60 * 60;
const IDLE_SECONDS: i64 = 14 * DAY_SECONDS;
const WHOLE_SECONDS: i64 = 90 * DAY_SECONDS;

/// What the browser keeps: 256 random bits.
pub struct Token(String);

/// What the database keeps of it: its SHA-256, written in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Token {
    pub fn new() -> Result<Self, NoEntropy> {
        entropy::new_token().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl TokenHash {
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHash;

impl std::str::FromStr for TokenHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        match (bytes.map(<[u8; 32]>::try_from), rest) {
            (Some(Ok(bytes)), []) => Ok(Self(bytes)),
            _ => Err(NotAHash),
        }
    }
}

impl std::fmt::Display for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn ends(since: Moment, now: Moment) -> Moment {
    now.plus_seconds(IDLE_SECONDS).min(since.plus_seconds(WHOLE_SECONDS))
}

/// Begins a session in place of `old`, the one that the request came with.
pub async fn begin(
    db: &mut Connection,
    user: UserId,
    old: Option<&TokenHash>,
    now: Moment,
) -> Result<Token, DbError> {
    let token = Token::new()?;
    if let Some(old) = old {
        store::delete_session(db, old).await?;
        instances::tell_now(db, &Told::Session(old.clone())).await?;
    }
    store::delete_ended_sessions(db, user, now).await?;
    store::insert_session(db, &token.hash(), user, now, ends(now, now)).await?;
    Ok(token)
}

/// Whose session it is. A session in use is prolonged, once a day.
pub async fn find(state: &AppState, token: TokenHash) -> Result<Option<Arc<User>>, DbError> {
    let now = state.clock.now();
    match state.sessions.find(&token, now) {
        Ok(user) => Ok(Some(user)),
        // Boxed, since it is rare: every request would carry room for it.
        Err(reading) => Box::pin(read(state, token, reading, now)).await,
    }
}

async fn read(
    state: &AppState,
    token: TokenHash,
    reading: Reading,
    now: Moment,
) -> Result<Option<Arc<User>>, DbError> {
    let found = store::session(&mut state.db.read().await?, &token, now).await?;
    let Some((user, since, until)) = found else {
        return Ok(None);
    };
    if until.plus_seconds(DAY_SECONDS) <= ends(since, now) {
        match state.db.write().await {
            Ok(mut db) => {
                store::prolong_session(&mut db, &token, ends(since, now)).await?;
                db.commit().await?;
            }
            // Reading goes on meanwhile, and the next request prolongs it.
            Err(error) if error.is_paused() => {}
            Err(error) => return Err(error),
        }
    }
    let user = Arc::new(user);
    state.sessions.keep(reading, token, Arc::clone(&user), now, until);
    Ok(Some(user))
}

/// Who asks, where that is needed: 401 otherwise.
#[derive(Debug, Clone)]
pub struct CurrentUser(pub Arc<User>);

/// Who asks, if signed in.
#[derive(Debug, Clone)]
pub struct MaybeUser(pub Option<Arc<User>>);

/// Where a request comes from before it is known from whom.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub address: ClientAddress,
    /// The session that it came with, whether or not that still lasts.
    pub session: Option<TokenHash>,
}
