//! Registers an account.

use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::device::DeviceId;
use crate::hashing::{HashError, HashingClient};
use crate::ids::UserId;
use crate::outbox::AccountMail;
use crate::preferences::Preferences;
use crate::registration::{Registration, RegistrationMode};
use crate::session;
use crate::session::Visitor;
use crate::sign_in::Entry;
use crate::user::User;
use crate::user::store;
use platform::db::DbError;
use platform::email::Email;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an account is not registered.
    pub enum RegisterRefusal {
        Closed => codes::REGISTRATION_CLOSED, "Registration is closed: ask the person who runs this site.";
        NotInvited => codes::REGISTRATION_CLOSED, "Registration is by invitation: open the link that you received.";
        EmailTaken => codes::EMAIL_TAKEN;
    }
    wraps { Hash(HashError) }
}

/// Registers the account and signs the visitor in. A link to confirm the e-mail is mailed. The caller knows
/// whether the visitor is invited.
pub async fn register(
    accounts: &Accounts,
    visitor: &Visitor,
    registration: Registration,
    is_invited: bool,
) -> Result<Entry, VerbError<RegisterRefusal>> {
    let Registration { email, password, name } = registration;
    if accounts.registration == RegistrationMode::Closed {
        return Err(RegisterRefusal::Closed.into());
    }
    if let Some(refusal) = refusal(accounts, &email, is_invited).await? {
        // It reveals whether the e-mail is taken or invited.
        accounts.limits.disclosure(visitor.address)?;
        return Err(refusal.into());
    }
    accounts.limits.registration(visitor.address)?;

    let hash = accounts.passwords.hash(HashingClient::Stranger(visitor.address), password).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    let now = accounts.clock.now();
    let user = User {
        id: UserId::new(now),
        email: Some(email.as_typed().to_owned()),
        email_verified_at: None,
        email_failed_at: None,
        name: name.as_str().to_owned(),
        locale: None,
        preferences: Preferences::default(),
        has_second_factor: false,
        created_at: now,
    };
    let mut db = accounts.db.write().await?;
    store::insert_user(&mut db, &user, &email, &credentials).await.map_err(|error| {
        if error.is_unique_violation() {
            VerbError::Refused(RegisterRefusal::EmailTaken)
        } else {
            VerbError::Db(error)
        }
    })?;
    let session = session::begin(&mut db, user.id, visitor, now).await?;
    let action = AuditAction::Registered(user.id);
    audit::record_from(&mut db, now, visitor.address, Some(user.id), &action).await?;
    // Beyond the limit the user asks for the link later: nobody fills the mailboxes of others by registering.
    if accounts.limits.account_mail(visitor.address, email.as_typed()).is_ok() {
        accounts.outbox.add(&mut db, AccountMail::ConfirmEmail, user.id, None, now).await?;
    }
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    let device = DeviceId::new().map_err(DbError::from)?;
    Ok(Entry { user, session, device: credentials.device_key.sign(device) })
}

/// Why this e-mail does not register.
async fn refusal(
    accounts: &Accounts,
    email: &Email,
    is_invited: bool,
) -> Result<Option<RegisterRefusal>, DbError> {
    if accounts.registration != RegistrationMode::Open && !is_invited {
        return Ok(Some(RegisterRefusal::NotInvited));
    }
    let is_taken = store::email_is_taken(&mut accounts.db.read().await?, email).await?;
    Ok(is_taken.then_some(RegisterRefusal::EmailTaken))
}
