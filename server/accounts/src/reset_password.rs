//! Sets the password of a user who has a link for it instead of the old password.

use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::hashing::{HashError, HashingClient};
use crate::locks::write_as;
use crate::outbox::AccountMail;
use crate::password::Password;
use crate::reset_links::store as reset_links;
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::store;
use platform::db::DbError;
use platform::refusals;
use platform::token::TokenHash;
use platform::verb::VerbError;

refusals! {
    /// Why a password is not set.
    pub enum ResetRefusal {
        /// The answer does not tell whether the link was used, replaced or never made, or has expired.
        TokenInvalid => codes::TOKEN_INVALID, "The link was used before, or it has expired: ask the person who runs this site for a new one.";
    }
    wraps { Hash(HashError) }
}

/// Sets the new password, ends every session of the user, and uses up the link. The user is told by mail.
pub async fn reset_password(
    accounts: &Accounts,
    visitor: &Visitor,
    token: &str,
    new: Password,
) -> Result<(), VerbError<ResetRefusal>> {
    let token = TokenHash::of(token);
    let found = reset_links::user(&mut accounts.db.read().await?, &token, accounts.clock.now()).await?;
    let Some(owner) = found else {
        accounts.limits.disclosure(visitor.address)?;
        return Err(ResetRefusal::TokenInvalid.into());
    };
    let user = owner.id;
    let new = new.of_user(accounts.site_name(), &owner, "password")?;
    let hash = accounts.passwords.hash(HashingClient::Stranger(visitor.address), new).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    let mut db = write_as(&accounts.db, user).await?;
    let now = accounts.clock.now();
    // A concurrent request may have used or replaced the link.
    if reset_links::user(&mut db, &token, now).await?.is_none() {
        return Err(ResetRefusal::TokenInvalid.into());
    }
    store::set_credentials(&mut db, user, &credentials).await?;
    if let Some(email) = reset_links::mailed_to(&mut db, user).await? {
        store::confirm_email(&mut db, user, &email, now).await?;
    }
    reset_links::delete(&mut db, user).await?;
    sessions::delete_others(&mut db, user, None).await?;
    let action = AuditAction::PasswordChanged(user);
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    accounts.outbox.add(&mut db, AccountMail::PasswordChanged, user, None, now).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(())
}
