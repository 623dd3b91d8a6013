//! Mails a link with which the user confirms the e-mail.

use std::convert::Infallible;

use accounts::session::Visitor;
use accounts::{Accounts, User};
use platform::verb::VerbError;

use super::account_mail;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// The link replaces an earlier one. Nothing is sent if the e-mail is confirmed.
pub async fn send_email_link(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    user: &User,
) -> Result<(), VerbError<Infallible>> {
    if user.email_verified_at.is_some() {
        return Ok(());
    }
    accounts.limits.account_mail(visitor.address, &user.email)?;
    Ok(account_mail::send(accounts, notifier, MailKind::ConfirmEmail, user.id, None).await?)
}
