//! Adds a mail about an account to the outbox, if this installation sends mail.

use accounts::Accounts;
use platform::db::DbError;

use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::notifications::mails::{MailKind, store};

/// `detail` is what the kind needs besides the account.
pub(super) async fn send(
    accounts: &Accounts,
    notifier: Notifier,
    kind: MailKind,
    user: UserId,
    detail: Option<&str>,
) -> Result<(), DbError> {
    if !notifier.sends_mail {
        return Ok(());
    }
    let mut db = accounts.db.write().await?;
    store::insert_of_account(&mut db, kind, Some(user), detail, accounts.clock.now()).await?;
    db.commit().await
}
