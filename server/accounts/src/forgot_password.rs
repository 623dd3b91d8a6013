//! Mails a link with which a user sets a new password.

use std::convert::Infallible;

use crate::context::Accounts;
use crate::outbox::AccountMail;
use crate::outbox::store::insert_of_account;
use crate::session::Visitor;
use crate::user::store;
use platform::email::Email;
use platform::verb::VerbError;

/// Mails the link if the account exists. The answer, and the work before it, are the same for an unknown
/// e-mail.
pub async fn forgot_password(
    accounts: &Accounts,
    visitor: &Visitor,
    email: &Email,
) -> Result<(), VerbError<Infallible>> {
    accounts.limits.account_mail(visitor.address, email.folded())?;
    if !accounts.outbox.sends_mail {
        return Ok(());
    }
    let mut db = accounts.db.write().await?;
    let user = store::by_email(&mut db, email).await?.map(|(user, _)| user.id);
    insert_of_account(&mut db, AccountMail::PasswordReset, user, None, accounts.clock.now()).await?;
    Ok(db.commit().await?)
}
