//! Registers an account. Where registration is by invitation, an invite or the link of an auction admits the
//! visitor.

use accounts::Accounts;
use accounts::register::{self, RegisterRefusal, Registration, RegistrationMode};
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use platform::db::DbError;
use platform::email::Email;
use platform::verb::VerbError;

use crate::access::store::invites;
use crate::usage;

/// Registers the account and signs the visitor in. The token is that of an invite, or of the link of an
/// auction.
pub async fn register(
    accounts: &Accounts,
    visitor: &Visitor,
    registration: Registration,
    invite_token: Option<&str>,
) -> Result<Entry, VerbError<RegisterRefusal>> {
    let is_invited = accounts.registration == RegistrationMode::Invited
        && is_invited(accounts, &registration.email, invite_token).await?;
    register::register(accounts, visitor, registration, is_invited).await
}

/// Whether there is an invite for the e-mail, or the token is that of an invite or of the link of an auction.
async fn is_invited(accounts: &Accounts, email: &Email, invite_token: Option<&str>) -> Result<bool, DbError> {
    let (mut db, now) = (accounts.db.read().await?, accounts.clock.now());
    if invites::any_for(&mut db, email, now).await? {
        return Ok(true);
    }
    let Some(token) = invite_token else { return Ok(false) };
    Ok(usage::is_open_link(&mut db, token).await? || invites::by_token(&mut db, token, now).await?.is_some())
}
