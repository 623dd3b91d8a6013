//! Makes a managed user a full account with an e-mail and a password. Number, bids, balances and roles stay.

use super::Accounts;
use super::User;
use super::audit::{self, AuditAction};
use super::credentials::Credentials;
use super::hashing::{Caller, HashError};
use super::register::{Registration, RegistrationMode};
use super::session::Visitor;
use super::store::{self, sessions};
use crate::codes;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::signal::{self, Signal};
use platform::db::DbError;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an account is not upgraded.
    pub enum UpgradeRefusal {
        Closed => codes::REGISTRATION_CLOSED, "Registration is closed: ask the person who runs this site.";
        NotManaged => codes::FORBIDDEN, "Your account has an e-mail already.";
        EmailTaken => codes::EMAIL_TAKEN;
    }
    wraps { Hash(HashError) }
}

/// The PIN is invalid from then on, and every session but the one that asks ends.
pub async fn upgrade(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    registration: Registration,
) -> Result<User, VerbError<UpgradeRefusal>> {
    if accounts.registration == RegistrationMode::Closed {
        return Err(UpgradeRefusal::Closed.into());
    }
    let Registration { email, password, name } = registration;
    if store::email_is_taken(&mut accounts.db.read().await?, &email).await? {
        accounts.limits.disclosure(visitor.address)?;
        return Err(UpgradeRefusal::EmailTaken.into());
    }
    accounts.limits.registration(visitor.address)?;
    let hash = accounts.passwords.hash(Caller::Stranger(visitor.address), password).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    let mut db = write_as(&accounts.db, id).await?;
    let user = store::user_by_id(&mut db, id).await?;
    if !user.is_some_and(|user| user.is_managed()) {
        return Err(UpgradeRefusal::NotManaged.into());
    }
    store::upgrade_user(&mut db, id, name.as_str(), &email, &credentials).await.map_err(
        |error| match error.is_unique_violation() {
            true => VerbError::Refused(UpgradeRefusal::EmailTaken),
            false => VerbError::Db(error),
        },
    )?;
    sessions::delete_others(&mut db, id, visitor.session.as_ref()).await?;
    let (now, action) = (accounts.clock.now(), AuditAction::Registered(id));
    audit::record_from(&mut db, now, visitor.address, Some(id), &action).await?;
    signal::send(&mut db, &Signal::User(id)).await?;
    let user = store::user_by_id(&mut db, id).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    Ok(user)
}
