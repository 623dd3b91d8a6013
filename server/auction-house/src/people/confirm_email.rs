//! Confirms the e-mail of a user, who is notified of the invites to it.

use accounts::confirm_email::{self, ConfirmRefusal};
use accounts::locks::write_as;
use accounts::session::Visitor;
use accounts::{Accounts, Signal, User};
use platform::token::TokenHash;
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
    let token = TokenHash::of(token);
    let id = confirm_email::find_user(accounts, visitor, &token).await?;
    let mut db = write_as(&context.db, id).await?;
    let user = confirm_email::write(accounts, visitor, &mut db, id, &token).await?;
    let now = context.clock.now();
    let invites = match user.as_ref().and_then(User::parsed_email) {
        Some(email) => invites::to(&mut db, &email, now).await?,
        None => Vec::new(),
    };
    let new = invites.iter().map(|one| NewNotification::of_invite(id, one.auction_id, &one.token));
    let signal = context.notifier.without_mail().notify(&mut db, &new.collect::<Vec<_>>(), now).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    context.events.publish(&signal);
    user.ok_or_else(|| ConfirmRefusal::TokenInvalid.into())
}
