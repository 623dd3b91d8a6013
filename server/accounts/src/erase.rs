//! Erases people.

use crate::email_links::store as email_links;
use crate::groups::store as groups;
use crate::ids::UserId;
use crate::reset_links::store as reset_links;
use crate::second_factor::store as second_factors;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::store;
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Ends the user's sessions and leaves nothing of the person. The transaction has locked the account, and
/// nothing depends on it.
pub async fn erase(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
    reset_links::delete(db, user).await?;
    email_links::delete(db, user).await?;
    second_factors::delete(db, user).await?;
    erase_managed(db, &[user], now).await
}

/// Like [`erase`], for managed users, who have nothing that needs an e-mail.
pub async fn erase_managed(db: &mut Transaction, users: &[UserId], now: Moment) -> Result<(), DbError> {
    sessions::delete_all_of(db, users).await?;
    groups::leave_all(db, users).await?;
    store::erase_users(db, users, now).await?;
    for user in users {
        signal::send(db, &Signal::User(*user)).await?;
    }
    Ok(())
}
