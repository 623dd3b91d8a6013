//! Mails a link with which the user confirms the e-mail.

use std::convert::Infallible;

use crate::context::Accounts;
use crate::outbox::AccountMail;
use crate::session::Visitor;
use crate::user::User;
use platform::verb::VerbError;

/// The link replaces an earlier one. Nothing is sent if the e-mail is confirmed.
pub async fn send_email_link(
    accounts: &Accounts,
    visitor: &Visitor,
    user: &User,
) -> Result<(), VerbError<Infallible>> {
    let Some(email) = user.email.as_deref().filter(|_| user.email_verified_at.is_none()) else {
        return Ok(());
    };
    accounts.limits.account_mail(visitor.address, email)?;
    let mut db = accounts.db.write().await?;
    accounts.outbox.add(&mut db, AccountMail::ConfirmEmail, user.id, None, accounts.clock.now()).await?;
    Ok(db.commit().await?)
}
