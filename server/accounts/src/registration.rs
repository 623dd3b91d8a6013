//! Modes of registration, and the fields of one.

use crate::groups::PersonNumber;
use crate::name::{NoName, PersonName, TypedName};
use crate::password::{OwnPassword, Password};
use crate::user::User;
use platform::email::Email;
use platform::fields::{FieldError, Fields};

/// The people who may register (SPEC, section 2).
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
