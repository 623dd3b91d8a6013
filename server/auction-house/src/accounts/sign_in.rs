//! A session for who knows the password.

use super::Accounts;
use super::extract::Visitor;
use super::password::HashError;
use super::session;
use super::{User, store};
use crate::locks::LockingWrites;
use platform::db::DbError;
use platform::email::Email;
use platform::limits::TooMany;
use platform::token::Token;

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Which of the two is not told.
    #[error("e-mail or password is wrong")]
    InvalidCredentials,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Signs in with what was typed. Does the same work whether or not there is such an account.
pub async fn sign_in(
    accounts: &Accounts,
    visitor: &Visitor,
    email: &str,
    password: String,
) -> Result<(User, Token), SignInError> {
    let email: Option<Email> = email.parse().ok();
    let account = email.as_ref().map(|email| email.folded().to_owned());
    let guess = accounts.limits.guess(account, visitor.address)?;
    let found = match &email {
        Some(email) => store::by_email(&mut accounts.db.read().await?, email).await?,
        None => None,
    };
    let kept = found.as_ref().map(|(_, hash)| hash.clone());
    let verified = accounts.passwords.verify(password, kept).await;
    if !matches!(verified, Ok(false)) {
        guess.forgive();
    }
    let (user, hash) = match (verified?, found) {
        (true, Some(found)) => found,
        _ => return Err(SignInError::InvalidCredentials),
    };

    let now = accounts.clock.now();
    let mut db = accounts.db.write_as(user.id).await?;
    // The password may have been changed meanwhile, and with it every session ended.
    if store::password_hash(&mut db, user.id).await? != Some(hash) {
        return Err(SignInError::InvalidCredentials);
    }
    let token = session::begin(&mut db, user.id, visitor.session.as_ref(), now).await?;
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    Ok((user, token))
}
