//! The owner of the machine gives the administration to somebody, whoever had it: the way back for who has lost it.

use super::store;
use crate::accounts::Accounts;
use crate::audit::{self, Act};
use platform::db::{Database, DbError};
use platform::email::Email;
use platform::time::Clock;

#[derive(Debug, thiserror::Error)]
pub enum AppointError {
    #[error("nobody has an account with the e-mail `{0}`")]
    NotRegistered(String),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Answers the e-mail of the Deployment Admin as it is in the account.
pub async fn appoint(
    database: &Database,
    clock: &dyn Clock,
    accounts: &dyn Accounts,
    email: &Email,
) -> Result<String, AppointError> {
    let mut db = database.write().await?;
    let Some(user) = accounts.lock_by_email(&mut db, email).await? else {
        return Err(AppointError::NotRegistered(email.as_typed().to_owned()));
    };
    if store::admin_id(&mut db).await? != Some(user.id) {
        let now = clock.now();
        store::appoint(&mut db, user.id, now).await?;
        audit::record(&mut db, now, None, &Act::Appointed(user.id)).await?;
        db.commit().await?;
    }
    Ok(user.email)
}
