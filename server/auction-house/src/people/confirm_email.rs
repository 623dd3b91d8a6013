//! Confirms the e-mail of a user, who is then notified of the invites to it.

use accounts::confirm_email::{self, ConfirmRefusal};
use accounts::session::Visitor;
use accounts::{Accounts, User};
use platform::verb::VerbError;

use crate::access::store::invites;
use crate::context::Context;
use crate::notifications::NewNotification;

/// Uses up the link of the mail.
pub async fn confirm_email(
    accounts: &Accounts,
    context: &Context,
    visitor: &Visitor,
    token: &str,
) -> Result<User, VerbError<ConfirmRefusal>> {
    let user = confirm_email::confirm_email(accounts, visitor, token).await?;
    let Some(email) = user.parsed_email() else { return Ok(user) };
    let now = context.clock.now();
    let mut db = context.db.write().await?;
    let invites = invites::to(&mut db, &email, now).await?;
    let new = invites.iter().map(|one| NewNotification::of_invite(user.id, one.auction_id, &one.token));
    let new: Vec<_> = new.collect();
    let signal = context.notifier.without_mail().notify(&mut db, &new, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(user)
}
