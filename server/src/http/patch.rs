//! One member of a JSON merge patch (RFC 7396).

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use crate::fields::Fields;

/// Left out, taken away by `null`, or set. Needs `#[serde(default)]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(source)?.map_or(Self::Clear, Self::Set))
    }
}

impl Patch<String> {
    /// What a text that is set stands for. Whatever can't be taken away is a fault where it is.
    pub fn parse<T: FromStr<Err: Display>>(self, fields: &mut Fields, path: &str) -> Patch<T> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(text) => fields.parse(path, &text).map_or(Patch::Keep, Patch::Set),
        }
    }
}

impl<T> Patch<T> {
    /// Of a member that can't be taken away: what it is set to, if it is.
    pub fn required(self, fields: &mut Fields, path: &str) -> Option<T> {
        match self {
            Self::Keep => None,
            Self::Clear => {
                fields.fault(path, "must be given");
                None
            }
            Self::Set(value) => Some(value),
        }
    }
}
