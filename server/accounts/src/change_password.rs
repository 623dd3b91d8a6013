//! Changes the password of a user who knows the old one.

use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::hashing::{HashError, HashingClient};
use crate::ids::UserId;
use crate::limits::GuessSource;
use crate::locks::write_as;
use crate::outbox::AccountMail;
use crate::password::Password;
use crate::reset_links::store as reset_links;
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::store;
use platform::body::Body;
use platform::db::DbError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The member with the new password.
const NEW: &str = "newPassword";

/// The old and the new password.
#[derive(Clone, Default)]
pub struct PasswordBody {
    current: Option<String>,
    new: Option<Password>,
}

impl Shape for PasswordBody {
    const NAME: &'static str = "PasswordBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_secret("currentPassword", &mut self.current);
        members
            .required_secret(NEW, &mut self.new)
            .length(&Password::CHARS)
            .about("Neither a common password nor your e-mail or name.");
    }
}

refusals! {
    /// Why a password is not changed, or not accepted as a proof.
    pub enum PasswordRefusal {
        WrongPassword => codes::WRONG_PASSWORD;
    }
    wraps { Hash(HashError) }
}

impl PasswordRefusal {
    /// Whether it counts as a guess.
    pub fn is_wrong(&self) -> bool {
        matches!(self, Self::WrongPassword)
    }
}

/// Sets the new password and ends every session but the one that asks, and a link to set another password.
/// The user is told by mail.
pub async fn change_password(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<PasswordRefusal>> {
    let change = change(accounts, visitor, user, body);
    limited(accounts, visitor, user, change, PasswordRefusal::is_wrong).await
}

async fn change(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<PasswordRefusal>> {
    let PasswordBody { current, new } = shape::parse(body.read()?)?;
    // INVARIANT: a required member that is absent is an error.
    let (current, new) = current.zip(new).ok_or_else(|| VerbError::<PasswordRefusal>::from(Vec::new()))?;
    let owner = store::user_by_id(&mut accounts.db.read().await?, user).await?;
    let owner = owner.ok_or(PasswordRefusal::WrongPassword)?;
    let new = new.of_user(accounts.site_name(), &owner, NEW)?;
    let verified = check_password(accounts, user, current).await?;
    let hash = accounts.passwords.hash(HashingClient::User(user), new).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    let mut db = write_as(&accounts.db, user).await?;
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    store::set_credentials(&mut db, user, &credentials).await?;
    reset_links::delete(&mut db, user).await?;
    sessions::delete_others(&mut db, user, visitor.session.as_ref()).await?;
    let (now, action) = (accounts.clock.now(), AuditAction::PasswordChanged(user));
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    accounts.outbox.add(&mut db, AccountMail::PasswordChanged, user, None, now).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(())
}

/// Executes a verb that verifies the user's password, unless there were too many wrong ones. A refusal for
/// which `is_wrong` holds counts as a guess.
pub async fn limited<T, R>(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    verb: impl Future<Output = Result<T, VerbError<R>>>,
    is_wrong: impl Fn(&R) -> bool,
) -> Result<T, VerbError<R>> {
    accounts.limits.proof(user)?;
    let guess = accounts.limits.guess(Some(&user.to_string()), GuessSource::Address(visitor.address))?;
    let done = verb.await;
    if !matches!(&done, Err(VerbError::Refused(refusal)) if is_wrong(refusal)) {
        guess.forgive();
    }
    done
}

/// Verifies `typed` and returns the hash that it matches. The caller is [`limited`], and compares the hash
/// again within its transaction.
pub async fn check_password(
    accounts: &Accounts,
    user: UserId,
    typed: String,
) -> Result<String, VerbError<PasswordRefusal>> {
    let kept = store::password_hash(&mut accounts.db.read().await?, user).await?;
    match (accounts.passwords.verify(HashingClient::User(user), typed, kept.clone()).await?, kept) {
        (true, Some(kept)) => Ok(kept),
        _ => Err(PasswordRefusal::WrongPassword.into()),
    }
}
