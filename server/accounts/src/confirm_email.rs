//! Confirms the e-mail of a user by the secret link of a mail to it.

use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::email_links::EmailLink;
use crate::email_links::store as email_links;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::session::Visitor;
use crate::signal::{self, Signal};
use crate::user::User;
use crate::user::store;
use platform::db::{DbError, Transaction};
use platform::refusals;
use platform::token::{Token, TokenHash};
use platform::verb::VerbError;

/// How long a link works.
const LIFETIME_SECONDS: i64 = 7 * 24 * 60 * 60;

/// Makes a link that confirms the user's present e-mail, in place of an earlier one. Returns the path of its
/// page; none if the e-mail is confirmed, or the account is deleted.
pub async fn create_email_link(accounts: &Accounts, id: UserId) -> Result<Option<String>, DbError> {
    let mut db = write_as(&accounts.db, id).await?;
    let user = store::user_by_id(&mut db, id).await?.filter(|user| user.email_verified_at.is_none());
    let Some(email) = user.and_then(|user| user.parsed_email()) else { return Ok(None) };
    let token = Token::new()?;
    let expires_at = accounts.clock.now().plus_seconds(LIFETIME_SECONDS);
    let link = EmailLink { user_id: id, email_folded: email.folded().to_owned() };
    email_links::replace(&mut db, &link, &token.hash(), expires_at).await?;
    db.commit().await?;
    Ok(Some(format!("/confirm-email/{}", token.as_str())))
}

refusals! {
    /// Why an e-mail is not confirmed.
    pub enum ConfirmRefusal {
        /// The answer does not tell whether the link was used, replaced or never made, or has expired.
        TokenInvalid => codes::TOKEN_INVALID, "The link was used before, or it has expired: your account page sends a new one.";
    }
}

/// Id of the user whose e-mail the link confirms. The link is a proof by itself, so that the user need not be
/// signed in.
pub async fn find_user(
    accounts: &Accounts,
    visitor: &Visitor,
    token: &TokenHash,
) -> Result<UserId, VerbError<ConfirmRefusal>> {
    match email_links::find(&mut accounts.db.read().await?, token, accounts.clock.now()).await? {
        Some(link) => Ok(link.user_id),
        None => {
            accounts.limits.disclosure(visitor.address)?;
            Err(ConfirmRefusal::TokenInvalid.into())
        }
    }
}

/// Uses up the link and confirms the e-mail. None if the account has another e-mail by now. The transaction
/// has locked the account of `user_id`.
pub async fn write(
    accounts: &Accounts,
    visitor: &Visitor,
    db: &mut Transaction,
    user_id: UserId,
    token: &TokenHash,
) -> Result<Option<User>, VerbError<ConfirmRefusal>> {
    let now = accounts.clock.now();
    // A concurrent request may have used or replaced the link.
    let link = email_links::find(db, token, now).await?.ok_or(ConfirmRefusal::TokenInvalid)?;
    email_links::delete(db, user_id).await?;
    let is_confirmed = store::confirm_email(db, user_id, &link.email_folded, now).await?;
    if is_confirmed {
        let action = AuditAction::EmailConfirmed(user_id);
        audit::record_from(db, now, visitor.address, Some(user_id), &action).await?;
    }
    signal::send(db, &Signal::User(user_id)).await?;
    Ok(store::user_by_id(db, user_id).await?.filter(|_| is_confirmed))
}
