//! Erases a person.

use super::ids::UserId;
use super::signal::{self, Signal};
use super::store::{self, email_links, reset_links, second_factors, sessions};
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Ends the user's sessions and leaves nothing of the person. The transaction has locked the account, and
/// nothing depends on it.
pub async fn erase(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
    sessions::delete_others(db, user, None).await?;
    reset_links::delete(db, user).await?;
    email_links::delete(db, user).await?;
    second_factors::delete(db, user).await?;
    store::erase_user(db, user, now).await?;
    signal::send(db, &Signal::User(user)).await
}
