//! Makes a managed user a full account. A link to confirm the e-mail is mailed.

use accounts::register::Registration;
use accounts::session::Visitor;
use accounts::upgrade::{self, UpgradeRefusal};
use accounts::{Accounts, User};
use platform::verb::VerbError;

use super::account_mail;
use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// The PIN is invalid from then on.
pub async fn upgrade(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    id: UserId,
    registration: Registration,
) -> Result<User, VerbError<UpgradeRefusal>> {
    let user = upgrade::upgrade(accounts, visitor, id, registration).await?;
    let email = user.email.as_deref().unwrap_or_default();
    if accounts.limits.account_mail(visitor.address, email).is_ok() {
        account_mail::send(accounts, notifier, MailKind::ConfirmEmail, id, None).await?;
    }
    Ok(user)
}
