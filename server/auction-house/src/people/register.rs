//! Registers an account. Where registration is by invitation, the secret of an invite or of the link of an
//! auction admits the visitor.

use accounts::Accounts;
use accounts::register::{self, RegisterRefusal, Registration, RegistrationMode};
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use platform::db::DbError;
use platform::verb::VerbError;

use super::account_mail;
use crate::access::store::invites;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;
use crate::usage;

/// Registers the account and signs the visitor in. The token is that of an invite, or of the link of an
/// auction. A link to confirm the e-mail is mailed.
pub async fn register(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    registration: Registration,
    invite_token: Option<&str>,
) -> Result<Entry, VerbError<RegisterRefusal>> {
    let is_invited =
        accounts.registration == RegistrationMode::Invited && is_invited(accounts, invite_token).await?;
    let entry = register::register(accounts, visitor, registration, is_invited).await?;
    // Beyond the limit the user asks for the link later: nobody fills the mailboxes of others by registering.
    let email = entry.user.email.as_deref().unwrap_or_default();
    if accounts.limits.account_mail(visitor.address, email).is_ok() {
        account_mail::send(accounts, notifier, MailKind::ConfirmEmail, entry.user.id, None).await?;
    }
    Ok(entry)
}

/// Whether the token is that of an invite or of the link of an auction. An e-mail that nobody has confirmed
/// admits nobody.
async fn is_invited(accounts: &Accounts, invite_token: Option<&str>) -> Result<bool, DbError> {
    let Some(token) = invite_token else { return Ok(false) };
    let (mut db, now) = (accounts.db.read().await?, accounts.clock.now());
    Ok(usage::is_open_link(&mut db, token).await? || invites::by_token(&mut db, token, now).await?.is_some())
}
