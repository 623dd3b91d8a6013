//! Begins a session.

use super::{NewSession, SESSIONS_MAX, SessionTimes, Visitor, store};
use crate::codes;
use crate::ids::{SessionId, UserId};
use crate::signal::{self, Signal};
use platform::db::{DbError, Transaction};
use platform::http::problem::Problem;
use platform::time::Moment;
use platform::token::Token;
use platform::verb::VerbError;

/// `Retry-After` of a sign-in while the disk is full.
const FULL_SECONDS: u32 = 30;
/// The error of a sign-in. Its words say that nobody can sign in while the disk is full.
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
    if store::delete_old(db, user, now, SESSIONS_MAX - 1).await? {
        signal::send(db, &Signal::User(user)).await?;
    }
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
