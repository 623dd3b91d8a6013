//! Changes the profile of a user. A new e-mail is to be confirmed, and a confirmed old one is told.

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
        // An old e-mail that was never confirmed may be that of a stranger.
        if let Some(old) = before.email.as_deref().filter(|_| before.email_verified_at.is_some()) {
            account_mail::send(accounts, notifier, MailKind::EmailChanged, id, Some(old)).await?;
        }
        let new = user.email.as_deref().unwrap_or_default();
        if accounts.limits.account_mail(visitor.address, new).is_ok() {
            account_mail::send(accounts, notifier, MailKind::ConfirmEmail, id, None).await?;
        }
    }
    Ok(user)
}
