//! Signs out.

use crate::context::Accounts;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use platform::db::DbError;
use platform::token::TokenHash;

/// Ends the session, if it still lasts.
pub async fn sign_out(accounts: &Accounts, session: &TokenHash) -> Result<(), DbError> {
    let mut db = accounts.db.write().await?;
    sessions::delete(&mut db, session).await?;
    signal::send(&mut db, &Signal::Session(session.clone())).await?;
    db.commit().await?;
    accounts.sessions.forget(session);
    Ok(())
}
