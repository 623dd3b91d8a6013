//! Registers an account.

use super::Accounts;
use super::extract::Visitor;
use super::name::PersonName;
use super::password::{HashError, Password};
use super::session;
use super::{User, store};
use crate::ids::UserId;
use platform::email::Email;
use platform::fields::Fields;
use platform::refusals;
use platform::token::Token;
use platform::verb::VerbError;

/// The parsed fields of a registration.
pub struct Registration {
    pub email: Email,
    pub password: Password,
    pub name: PersonName,
}

impl Registration {
    /// Parses what was typed, or reports all errors.
    pub fn parse(email: &str, password: &str, name: &str) -> Result<Self, Fields> {
        let mut fields = Fields::default();
        let name = fields.parse("name", name);
        let email = fields.parse("email", email);
        let password = fields.parse("password", password);
        match (email, password, name) {
            (Some(email), Some(password), Some(name)) => Ok(Self { email, password, name }),
            _ => Err(fields),
        }
    }
}

refusals! {
    /// Why an account is not registered.
    pub enum RegisterRefusal {
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
    let Registration { email, password, name } = registration;
    // The answer reveals whether an e-mail is taken, so it counts as a guess.
    let guess = accounts.limits.guess(None, visitor.address)?;
    if store::email_is_taken(&mut accounts.db.read().await?, &email).await? {
        return Err(RegisterRefusal::EmailTaken.into());
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
