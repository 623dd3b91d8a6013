//! Changes the password of a user, who is told by mail.

use accounts::Accounts;
use accounts::change_password::{self, PasswordRefusal};
use accounts::session::Visitor;
use platform::body::Body;
use platform::verb::VerbError;

use super::account_mail;
use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// Sets the new password and ends every session but the one that asks.
pub async fn change_password(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<PasswordRefusal>> {
    change_password::change_password(accounts, visitor, user, body).await?;
    Ok(account_mail::send(accounts, notifier, MailKind::PasswordChanged, user, None).await?)
}
