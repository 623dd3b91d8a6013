//! A JSON object whose values are raw text until their type is known, so that an amount keeps its digits.

use std::fmt;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Members of one object, at most.
const MEMBERS_MAX: usize = 64;

/// The members that were sent, in their order, each name once. Null is absent (SPEC, section 1).
#[derive(Debug, Clone, Default)]
pub struct Object(Vec<(String, Box<RawValue>)>);

impl Object {
    /// Adds or replaces a member. A value that JSON can't express is left out, and then reported as missing.
    pub fn set(&mut self, name: &str, value: &impl Serialize) {
        self.remove(name);
        if let Ok(raw) = serde_json::value::to_raw_value(value) {
            self.0.push((name.to_owned(), raw));
        }
    }

    /// Adds or replaces a member, if there is a value.
    pub fn set_given(&mut self, name: &str, value: Option<&impl Serialize>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a member is present, even as null.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|(member, _)| member == name)
    }

    /// Whether a member is present and not null.
    pub fn gives(&self, name: &str) -> bool {
        self.0.iter().any(|(member, raw)| member == name && raw.get() != "null")
    }

    /// The value of a member, if it is present and of this type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let (_, raw) = self.0.iter().find(|(member, _)| member == name)?;
        serde_json::from_str(raw.get()).ok()
    }

    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(member, _)| member != name);
    }

    /// Removes all members: their names.
    pub(super) fn take_names(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(&mut self.0).into_iter().map(|(name, _)| name)
    }

    /// Applies a merge patch (RFC 7396): a member of the patch replaces the old one, objects are merged
    /// member by member, and null removes.
    pub fn patched(mut self, patch: Self) -> Self {
        for (name, new) in patch.0 {
            match (self.get::<Self>(&name), serde_json::from_str::<Self>(new.get())) {
                (Some(old), Ok(new)) => self.set(&name, &old.patched(new)),
                _ => {
                    self.remove(&name);
                    self.0.push((name, new));
                }
            }
        }
        self
    }

    /// Removes a member: its value, unless it is absent or null.
    pub(super) fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let at = self.0.iter().position(|(member, _)| member == name)?;
        let (_, raw) = self.0.remove(at);
        (raw.get() != "null").then_some(raw)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ReadObject)
    }
}

impl Serialize for Object {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

struct ReadObject;

impl<'de> Visitor<'de> for ReadObject {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut members: Vec<(String, Box<RawValue>)> = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if members.iter().any(|(earlier, _)| *earlier == name) {
                return Err(A::Error::custom(format!("`{name}` is given twice")));
            }
            if members.len() == MEMBERS_MAX {
                return Err(A::Error::custom(format!("must have at most {MEMBERS_MAX} members")));
            }
            members.push((name, map.next_value()?));
        }
        Ok(Object(members))
    }
}
