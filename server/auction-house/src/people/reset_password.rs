//! Sets the password of a user who has a link for it. The user is told by mail.

use accounts::Accounts;
use accounts::password::Password;
use accounts::reset_password::{self, ResetRefusal};
use accounts::session::Visitor;
use platform::verb::VerbError;

use super::account_mail;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// Sets the new password, ends every session of the user, and uses up the link.
pub async fn reset_password(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    token: &str,
    new: Password,
) -> Result<(), VerbError<ResetRefusal>> {
    let user = reset_password::reset_password(accounts, visitor, token, new).await?;
    Ok(account_mail::send(accounts, notifier, MailKind::PasswordChanged, user, None).await?)
}
