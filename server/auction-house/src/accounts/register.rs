//! Registers an account.

use super::Accounts;
use super::extract::Visitor;
use super::name::PersonName;
use super::password::{HashError, Password};
use super::session;
use super::{User, store};
use crate::access::store::invites;
use crate::ids::UserId;
use crate::usage;
use platform::db::Connection;
use platform::email::Email;
use platform::fields::Fields;
use platform::refusals;
use platform::time::Moment;
use platform::token::Token;
use platform::verb::VerbError;

/// Who may register (contract, section 2).
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
    pub password: Password,
    pub name: PersonName,
    /// Of an invite, or of the link of an auction.
    pub invite_token: Option<String>,
}

impl Registration {
    /// Parses what was typed, or reports all errors.
    pub fn parse(
        email: &str,
        password: &str,
        name: &str,
        invite_token: Option<String>,
    ) -> Result<Self, Fields> {
        let mut fields = Fields::default();
        let name = fields.parse("name", name);
        let email = fields.parse("email", email);
        let password = fields.parse("password", password);
        match (email, password, name) {
            (Some(email), Some(password), Some(name)) => Ok(Self { email, password, name, invite_token }),
            _ => Err(fields),
        }
    }
}

refusals! {
    /// Why an account is not registered.
    pub enum RegisterRefusal {
        Closed => RegistrationClosed, "Registration is closed: ask the person who runs this site.";
        NotInvited => RegistrationClosed, "Registration is by invitation: open the link that you received, or use the e-mail that was invited.";
        EmailTaken => EmailTaken;
    }
    wraps { Hash(HashError) }
}

/// Registers the account and signs the visitor in.
pub async fn register(
    accounts: &Accounts,
    visitor: &Visitor,
    registration: Registration,
) -> Result<(User, Token), VerbError<RegisterRefusal>> {
    let Registration { email, password, name, invite_token } = registration;
    // The answer reveals whether an e-mail is taken or invited, so it counts as a guess.
    let guess = accounts.limits.guess(None, visitor.address)?;
    {
        let mut db = accounts.db.read().await?;
        let now = accounts.clock.now();
        check_admission(&mut db, accounts.registration, &email, invite_token.as_deref(), now).await?;
        if store::email_is_taken(&mut db, &email).await? {
            return Err(RegisterRefusal::EmailTaken.into());
        }
    }
    guess.forgive();
    accounts.limits.registration(visitor.address)?;

    let hash = accounts.passwords.hash(password).await?;
    let now = accounts.clock.now();
    let user = User {
        id: UserId::new(now),
        email: email.as_typed().to_owned(),
        name: name.as_str().to_owned(),
        locale: None,
        created_at: now,
    };
    let mut db = accounts.db.write().await?;
    store::insert_user(&mut db, &user, &email, &hash).await.map_err(|error| {
        if error.is_unique_violation() {
            VerbError::Refused(RegisterRefusal::EmailTaken)
        } else {
            VerbError::Db(error)
        }
    })?;
    let token = session::begin(&mut db, user.id, visitor, now).await?;
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    Ok((user, token))
}

/// Whether the setting lets this e-mail or this token register.
async fn check_admission(
    db: &mut Connection,
    mode: RegistrationMode,
    email: &Email,
    invite_token: Option<&str>,
    now: Moment,
) -> Result<(), VerbError<RegisterRefusal>> {
    match mode {
        RegistrationMode::Open => return Ok(()),
        RegistrationMode::Closed => return Err(RegisterRefusal::Closed.into()),
        RegistrationMode::Invited => {}
    }
    if invites::any_for(db, email, now).await? {
        return Ok(());
    }
    let Some(token) = invite_token else { return Err(RegisterRefusal::NotInvited.into()) };
    let is_known =
        usage::is_open_link(db, token).await? || invites::by_token(db, token, now).await?.is_some();
    if is_known { Ok(()) } else { Err(RegisterRefusal::NotInvited.into()) }
}
