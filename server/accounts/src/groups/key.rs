//! How a request names a person of a group.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::{GroupPerson, PersonNumber};
use crate::ids::UserId;

/// The number, or the user: a keeper may have no number. Numbers come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum PersonKey {
    Number(PersonNumber),
    User(UserId),
}

/// The text is neither a number nor the id of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from 1 to 9999, or the id of a user")]
pub struct NotAKey;

impl PersonKey {
    /// The key of a person by which lists are ordered.
    pub fn of(person: &GroupPerson) -> Self {
        person.number.map_or(Self::User(person.person.id), Self::Number)
    }
}

impl FromStr for PersonKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let number = text.parse().map(Self::Number);
        number.or_else(|_| text.parse().map(Self::User)).map_err(|_| NotAKey)
    }
}

impl TryFrom<String> for PersonKey {
    type Error = NotAKey;

    fn try_from(text: String) -> Result<Self, NotAKey> {
        text.parse()
    }
}

impl fmt::Display for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::User(id) => id.fmt(f),
        }
    }
}
