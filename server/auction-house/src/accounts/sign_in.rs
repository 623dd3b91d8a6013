//! Signs in with e-mail and password.

use super::Accounts;
use super::extract::Visitor;
use super::password::HashError;
use super::session;
use super::{User, store};
use crate::locks::LockingWrites;
use platform::email::Email;
use platform::refusals;
use platform::token::Token;
use platform::verb::VerbError;

refusals! {
    /// Why a visitor is not signed in.
    pub enum SignInRefusal {
        /// The answer does not tell which of the two is wrong.
        InvalidCredentials => InvalidCredentials;
    }
    wraps { Hash(HashError) }
}

/// Does the same work whether or not the account exists, so that the time tells nothing.
pub async fn sign_in(
    accounts: &Accounts,
    visitor: &Visitor,
    email: &str,
    password: String,
) -> Result<(User, Token), VerbError<SignInRefusal>> {
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
        _ => return Err(SignInRefusal::InvalidCredentials.into()),
    };

    let now = accounts.clock.now();
    let mut db = accounts.db.write_as(user.id).await?;
    // A concurrent change of the password has ended every session.
    if store::password_hash(&mut db, user.id).await? != Some(hash) {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    let token = session::begin(&mut db, user.id, visitor, now).await?;
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    Ok((user, token))
}
