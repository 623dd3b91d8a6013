//! The end of a session.

use super::session::TokenHash;
use super::store;
use crate::db::DbError;
use crate::instances::{self, Told};
use crate::state::AppState;

/// Ends the session, if it still lasts.
pub async fn sign_out(state: &AppState, session: &TokenHash) -> Result<(), DbError> {
    let mut db = state.db.write().await?;
    store::delete_session(&mut db, session).await?;
    instances::tell_now(&mut db, &Told::Session(session.clone())).await?;
    db.commit().await?;
    state.sessions.forget(session);
    Ok(())
}
