//! Changes the profile of a user. A new e-mail is to be confirmed, and the old one is told.

use accounts::profile::{self, ProfileRefusal};
use accounts::session::Visitor;
use accounts::{Accounts, User, store};
use platform::body::Body;
use platform::verb::VerbError;

use super::account_mail;
use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// Applies a merge patch to the profile.
pub async fn change_profile(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    id: UserId,
    patch: impl Body,
) -> Result<User, VerbError<ProfileRefusal>> {
    let before = store::user_by_id(&mut accounts.db.read().await?, id).await?.ok_or(ProfileRefusal::Gone)?;
    let user = profile::change_profile(accounts, visitor, id, patch).await?;
    let folded = |user: &User| user.email.as_deref().map(str::to_lowercase);
    if folded(&before) != folded(&user) {
        let old = before.email.as_deref();
        account_mail::send(accounts, notifier, MailKind::EmailChanged, id, old).await?;
        account_mail::send(accounts, notifier, MailKind::ConfirmEmail, id, None).await?;
    }
    Ok(user)
}
