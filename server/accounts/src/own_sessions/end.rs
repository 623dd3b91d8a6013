//! Ends sessions.

use std::convert::Infallible;

use crate::context::Accounts;
use crate::ids::{SessionId, UserId};
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use platform::db::DbError;
use platform::token::TokenHash;
use platform::verb::VerbError;

/// Ends one session of the user, who may be using it. Its live streams end within seconds.
pub async fn end_session(
    accounts: &Accounts,
    user: UserId,
    id: SessionId,
) -> Result<(), VerbError<Infallible>> {
    let mut db = accounts.db.write().await?;
    let found = sessions::token(&mut db, user, id, accounts.clock.now()).await?;
    let token = found.ok_or(VerbError::NotFound)?;
    sessions::delete(&mut db, &token).await?;
    let ended = Signal::Session(token);
    signal::send(&mut db, &ended).await?;
    db.commit().await?;
    accounts.signals.publish(&ended);
    Ok(())
}

/// Ends every session of the user but `kept`.
pub async fn end_other_sessions(
    accounts: &Accounts,
    user: UserId,
    kept: Option<&TokenHash>,
) -> Result<(), DbError> {
    let mut db = accounts.db.write().await?;
    sessions::delete_others(&mut db, user, kept).await?;
    let changed = Signal::User(user);
    signal::send(&mut db, &changed).await?;
    db.commit().await?;
    accounts.signals.publish(&changed);
    Ok(())
}
