//! The owner of the machine appoints the Deployment Admin from a shell, for example after the account was
//! lost.

use super::store;
use crate::audit::{self, AuditAction};
use crate::locks::lock_by_email;
use platform::db::{Database, DbError};
use platform::email::Email;
use platform::time::Clock;

#[derive(Debug, thiserror::Error)]
pub enum AppointError {
    #[error("there is no account with the e-mail `{0}`, or it is disabled")]
    NotRegistered(String),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Returns the new admin's e-mail as stored.
pub async fn appoint(database: &Database, clock: &dyn Clock, email: &Email) -> Result<String, AppointError> {
    let mut db = database.write().await?;
    let Some(user) = lock_by_email(&mut db, email).await? else {
        return Err(AppointError::NotRegistered(email.as_typed().to_owned()));
    };
    if store::admin_id(&mut db).await? != Some(user.id) {
        let now = clock.now();
        store::appoint(&mut db, user.id, now).await?;
        audit::record(&mut db, now, None, &AuditAction::Appointed(user.id)).await?;
        db.commit().await?;
    }
    // INVARIANT: a user who was found by e-mail has one.
    Ok(user.email.unwrap_or_default())
}
