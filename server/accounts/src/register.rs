//! Registers an account.

use super::Accounts;
use super::audit::{self, AuditAction};
use super::credentials::Credentials;
use super::device::DeviceId;
use super::groups::PersonNumber;
use super::hashing::{Caller, HashError};
use super::name::{NoName, PersonName, TypedName};
use super::outbox::AccountMail;
use super::password::{OwnPassword, Password};
use super::preferences::Preferences;
use super::session;
use super::session::Visitor;
use super::sign_in::Entry;
use super::{User, store};
use crate::codes;
use crate::ids::UserId;
use platform::db::DbError;
use platform::email::Email;
use platform::fields::{FieldError, Fields};
use platform::refusals;
use platform::verb::VerbError;

/// Who may register (SPEC, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistrationMode {
    Open,
    /// Users who have an invite, or the link of an auction.
    Invited,
    Closed,
}

/// The parsed fields of a registration.
pub struct Registration {
    pub email: Email,
    pub password: OwnPassword,
    pub name: PersonName,
}

impl Registration {
    /// Parses what was typed, or reports all errors. `words` are further ones that make no password.
    pub fn parse(email: &str, password: &str, name: &str, words: &[&str]) -> Result<Self, Fields> {
        Self::parse_named(email, password, name, |name| name.of(&[]), words)
    }

    /// Parses what the managed user typed, whose name is kept without another. `words` are further ones that
    /// make no password.
    pub fn parse_upgrade(
        user: &User,
        numbers: &[PersonNumber],
        (email, password, name): (&str, &str, Option<&str>),
        words: &[&str],
    ) -> Result<Self, Fields> {
        let called = |name: TypedName| name.of_user(&user.name, numbers);
        Self::parse_named(email, password, name.unwrap_or(&user.name), called, words)
    }

    fn parse_named(
        email: &str,
        password: &str,
        name: &str,
        called: impl FnOnce(TypedName) -> Result<PersonName, NoName>,
        words: &[&str],
    ) -> Result<Self, Fields> {
        let mut fields = Fields::default();
        let name = fields.parse::<TypedName>("name", name).and_then(|name| {
            called(name).map_err(|error| fields.report(FieldError::new("name", error.to_string()))).ok()
        });
        let email: Option<Email> = fields.parse("email", email);
        let password = fields.parse::<Password>("password", password);
        let password = match (password, &email, &name) {
            (Some(password), Some(email), Some(name)) => {
                let own = password.of(email.as_typed(), name.as_str(), words);
                own.map_err(|error| fields.report(FieldError::explained("password", error.to_string()))).ok()
            }
            _ => None,
        };
        match (email, password, name) {
            (Some(email), Some(password), Some(name)) => Ok(Self { email, password, name }),
            _ => Err(fields),
        }
    }
}

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

    let hash = accounts.passwords.hash(Caller::Stranger(visitor.address), password).await?;
    let credentials = Credentials::new(hash).map_err(DbError::from)?;
    let now = accounts.clock.now();
    let user = User {
        id: UserId::new(now),
        email: Some(email.as_typed().to_owned()),
        email_verified_at: None,
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
