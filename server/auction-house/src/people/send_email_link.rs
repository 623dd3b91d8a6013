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
    let Some(email) = user.email.as_deref().filter(|_| user.email_verified_at.is_none()) else {
        return Ok(());
    };
    accounts.limits.account_mail(visitor.address, email)?;
    Ok(account_mail::send(accounts, notifier, MailKind::ConfirmEmail, user.id, None).await?)
}
