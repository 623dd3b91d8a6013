//! Makes a managed user a full account with an e-mail and a password. Number, bids, balances and roles stay.

use crate::audit::{self, AuditAction};
use crate::change_password::PasswordRefusal;
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::groups::store as groups;
use crate::hashing::{HashError, HashingClient};
use crate::ids::UserId;
use crate::registration::{Registration, RegistrationMode};
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::sign_in_by_number::prove_pin;
use crate::signal::{self, Signal};
use crate::user::User;
use crate::user::store;
use platform::db::{DbError, Transaction};
use platform::email::Email;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an account is not upgraded.
    pub enum UpgradeRefusal {
        Closed => codes::REGISTRATION_CLOSED, "Registration is closed: ask the person who runs this site.";
        NotManaged => codes::FORBIDDEN, "Your account has an e-mail already.";
        EmailTaken => codes::EMAIL_TAKEN;
    }
    wraps { Hash(HashError), Proof(PasswordRefusal) }
}

/// An upgrade that was proven, and may be written.
pub struct Upgrade {
    id: UserId,
    email: Email,
    name: String,
    credentials: Credentials,
    /// The hash that the PIN matched.
    verified: String,
}

/// Verifies the PIN, and hashes the password.
pub async fn begin(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    pin: String,
    registration: Registration,
) -> Result<Upgrade, VerbError<UpgradeRefusal>> {
    if accounts.registration == RegistrationMode::Closed {
        return Err(UpgradeRefusal::Closed.into());
    }
    let verified = prove_pin(accounts, visitor, id, pin).await;
    let verified = verified.map_err(|error| error.map_refusal(UpgradeRefusal::Proof))?;
    let Registration { email, password, name } = registration;
    if store::email_is_taken(&mut accounts.db.read().await?, &email).await? {
        accounts.limits.disclosure(visitor.address)?;
        return Err(UpgradeRefusal::EmailTaken.into());
    }
    accounts.limits.registration(visitor.address)?;
    let hash = accounts.passwords.hash(HashingClient::User(id), password).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    Ok(Upgrade { id, email, name: name.into_string(), credentials, verified })
}

/// The PIN is invalid from then on, and every session but the one that asks ends. The transaction has locked
/// the group and the account. The signal [`Signal::User`] is to be published after the commit.
pub async fn write(
    accounts: &Accounts,
    visitor: &Visitor,
    db: &mut Transaction,
    upgrade: Upgrade,
) -> Result<User, VerbError<UpgradeRefusal>> {
    let Upgrade { id, email, name, credentials, verified } = upgrade;
    let user = store::user_by_id(db, id).await?;
    if !user.is_some_and(|user| user.is_managed()) {
        return Err(UpgradeRefusal::NotManaged.into());
    }
    // The keeper may have given a new PIN meanwhile.
    if store::password_hash(db, id).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    let now = accounts.clock.now();
    if let Some(place) = groups::place_of_managed(db, id).await? {
        groups::set_upgraded(db, place.group_id, id, Some(now)).await?;
    }
    store::upgrade_user(db, id, &name, &email, &credentials).await.map_err(|error| {
        match error.is_unique_violation() {
            true => VerbError::Refused(UpgradeRefusal::EmailTaken),
            false => VerbError::Db(error),
        }
    })?;
    sessions::delete_others(db, id, visitor.session.as_ref()).await?;
    audit::record_from(db, now, visitor.address, Some(id), &AuditAction::Registered(id)).await?;
    signal::send(db, &Signal::User(id)).await?;
    store::user_by_id(db, id).await?.ok_or(VerbError::NotFound)
}
