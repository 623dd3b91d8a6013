//! JSON objects, read member by member, so that all errors of a body are reported at once. Values stay raw text until
//! their type is known, so that an amount keeps its digits.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::single_line::SingleLine;
use crate::text::is_visible;

/// Members of one object, at most.
const MEMBERS_MAX: usize = 64;
/// Errors that one response reports, at most.
const ERRORS_MAX: usize = 100;

/// An invalid field: its path (`denominations.1.factor`; empty for the body itself) and a message, which is the rest of a
/// sentence, `must be given`, or a complete one, `Enter an amount.`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    pub path: String,
    pub message: String,
    /// For forms, which have words of their own.
    #[serde(skip)]
    pub fault: Fault,
}

/// What is wrong with a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Fault {
    /// None of the others.
    #[default]
    Invalid,
    Missing,
    /// More characters than this.
    TooLong(usize),
    /// It is no integer within these bounds.
    Integer(RangeInclusive<i64>),
    /// It is no decimal within its bounds.
    Decimal {
        /// The greatest one.
        max: String,
        /// Fraction digits, at most.
        digits: u32,
    },
    /// Another entry of the list has the same value.
    Duplicate,
    /// The moment has passed.
    Past,
    /// The moment is before another one that it must follow.
    TooEarly,
    /// The moment is after another one that it must precede.
    TooLate,
    /// The message is a sentence for people.
    Explained,
}

impl FieldError {
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), fault: Fault::Invalid }
    }

    /// The error of a field that must be given.
    pub fn missing(path: impl Into<String>) -> Self {
        Self::new(path, "must be given").because(Fault::Missing)
    }

    /// The error of a moment that has passed.
    pub fn past(path: impl Into<String>) -> Self {
        Self::new(path, "must be in the future").because(Fault::Past)
    }

    /// An error whose message is a sentence for people.
    pub fn explained(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(path, message).because(Fault::Explained)
    }

    pub fn because(self, fault: Fault) -> Self {
        Self { fault, ..self }
    }

    /// The error with `path` before its own: the object is a member of another.
    pub fn within(self, path: &str) -> Self {
        Self { path: format!("{path}.{}", self.path), ..self }
    }

    /// A sentence about the field, which it calls `name`.
    pub fn sentence(&self, name: &str) -> String {
        let message = self.message.trim_end_matches('.');
        let is_predicate = ["must ", "is "].iter().any(|verb| message.starts_with(verb));
        if is_predicate { format!("{name} {message}.") } else { format!("{name}: {message}.") }
    }

    /// Whether the message is a complete sentence.
    pub fn is_sentence(&self) -> bool {
        self.message.starts_with(char::is_uppercase)
    }
}

/// The members that were sent, in their order, each name once. Null is absent (contract, section 1).
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

    /// Applies a merge patch (RFC 7396): a member of the patch replaces the old one, objects are merged member by member,
    /// and null removes.
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

    /// The value of a member, unless it is absent or null.
    fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
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

/// Reads members and collects their errors. [`finish`](Self::finish) reports every member that was not read as unknown.
#[derive(Debug, Default)]
pub struct Fields {
    object: Object,
    errors: Vec<FieldError>,
}

impl Fields {
    pub fn of(object: Object) -> Self {
        Self { object, errors: Vec::new() }
    }

    pub fn error(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.report(FieldError::new(path, message));
    }

    pub fn report(&mut self, error: FieldError) {
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(error);
        }
    }

    /// Reports a member that must be given and is not.
    fn require(&mut self, given: bool, name: &str) {
        if !given {
            self.report(FieldError::missing(name));
        }
    }

    pub fn check(&mut self, holds: bool, path: &str, message: &str) {
        if !holds {
            self.error(path, message);
        }
    }

    /// Parses `text`, the value of a member.
    pub fn parse<T: FromStr<Err: fmt::Display>>(&mut self, path: &str, text: &str) -> Option<T> {
        let error = |error: T::Err| {
            let error = FieldError::new(path, error.to_string());
            match error.is_sentence() {
                _ if text.trim().is_empty() => error.because(Fault::Missing),
                true => error.because(Fault::Explained),
                false => error,
            }
        };
        text.parse().map_err(|wrong| self.report(error(wrong))).ok()
    }

    /// The value if it is given and of the right type.
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let raw = self.object.take(name)?;
        let mut source = serde_json::Deserializer::from_str(raw.get());
        match serde_path_to_error::deserialize(&mut source) {
            Ok(value) => Some(value),
            Err(error) => {
                let inner = path_of(error.path());
                let path = if inner.is_empty() { name.to_owned() } else { format!("{name}.{inner}") };
                self.error(path, words_of(error.inner()));
                None
            }
        }
    }

    /// The value; an absent one is an error too.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let given = self.object.gives(name);
        let value = self.optional(name);
        self.require(given, name);
        value
    }

    /// The value of a member that may be absent but not null, such as a change of a member that can't be removed.
    pub fn unless_absent<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        if self.object.names(name) { self.required(name) } else { None }
    }

    pub fn or<T: DeserializeOwned>(&mut self, name: &str, default: T) -> T {
        self.optional(name).unwrap_or(default)
    }

    /// Reports a member unless it is absent.
    pub fn refuse(&mut self, name: &str, why: &str) {
        if self.object.take(name).is_some() {
            self.error(name, why);
        }
    }

    /// A text with a length within `chars`. An absent text is empty, which is an error unless `chars` allows it.
    pub fn text(&mut self, name: &str, chars: RangeInclusive<usize>) -> String {
        let Some(text) = self.given_text(name, &chars) else { return String::new() };
        let is_blank = *chars.start() > 0 && !text.chars().any(is_visible);
        if is_blank || !chars.contains(&text.chars().count()) {
            self.length_error(name, &chars, text.chars().count());
        } else if text.contains('\0') {
            // PostgreSQL can't store it.
            self.error(name, "must not contain the character NUL");
        }
        text
    }

    /// A text of one line with a length within `chars`. An absent one is empty, which is an error unless `chars` allows it.
    pub fn line(&mut self, name: &str, chars: RangeInclusive<usize>) -> String {
        let Some(text) = self.given_text(name, &chars) else { return String::new() };
        let Some(line) = self.parse::<SingleLine>(name, &text) else { return String::new() };
        if !chars.contains(&line.chars()) {
            self.length_error(name, &chars, line.chars());
        }
        line.into_string()
    }

    fn given_text(&mut self, name: &str, chars: &RangeInclusive<usize>) -> Option<String> {
        if *chars.start() > 0 { self.required(name) } else { Some(self.or(name, String::new())) }
    }

    fn length_error(&mut self, name: &str, chars: &RangeInclusive<usize>, count: usize) {
        let message = format!("must have {} to {} characters", chars.start(), chars.end());
        let fault = if count > *chars.end() { Fault::TooLong(*chars.end()) } else { Fault::Missing };
        self.report(FieldError::new(name, message).because(fault));
    }

    /// A whole number within bounds.
    pub fn integer(&mut self, name: &str, bounds: RangeInclusive<i64>, default: i64) -> i64 {
        self.optional_integer(name, bounds).unwrap_or(default)
    }

    /// A whole number within bounds, if it is given.
    pub fn optional_integer(&mut self, name: &str, bounds: RangeInclusive<i64>) -> Option<i64> {
        let raw = self.object.take(name)?;
        let value = serde_json::from_str::<i64>(raw.get()).ok().filter(|value| bounds.contains(value));
        if value.is_none() {
            let message = format!("must be an integer from {} to {}", bounds.start(), bounds.end());
            self.report(FieldError::new(name, message).because(Fault::Integer(bounds)));
        }
        value
    }

    /// A whole number within bounds, or null, which must be written.
    pub fn integer_or_null(&mut self, name: &str, bounds: RangeInclusive<i64>) -> Option<i64> {
        if !self.object.names(name) {
            let message = "must be given, as null if there is none";
            self.report(FieldError::new(name, message).because(Fault::Missing));
        }
        self.optional_integer(name, bounds)
    }

    /// A whole number within bounds that must be given.
    pub fn required_integer(&mut self, name: &str, bounds: RangeInclusive<i64>) -> Option<i64> {
        let given = self.object.gives(name);
        let value = self.optional_integer(name, bounds);
        self.require(given, name);
        value
    }

    /// A nested object, read by `read`.
    pub fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields) -> T) -> Option<T> {
        let members: Object = self.optional(name)?;
        Some(self.within(name, members, read))
    }

    /// A list of objects, each read by `read`; an absent list is empty.
    pub fn list<T>(&mut self, name: &str, read: impl Fn(&mut Fields) -> T) -> Vec<T> {
        let entries: Vec<Object> = self.or(name, Vec::new());
        let entries = entries.into_iter().enumerate();
        entries.map(|(at, members)| self.within(&format!("{name}.{at}"), members, &read)).collect()
    }

    fn within<T>(&mut self, path: &str, members: Object, read: impl FnOnce(&mut Fields) -> T) -> T {
        let mut fields = Self::of(members);
        let value = read(&mut fields);
        let inner = fields.finish().err().unwrap_or_default();
        for error in inner {
            self.report(error.within(path));
        }
        value
    }

    /// Whether a member and everything within it is free of errors so far.
    pub fn is_clean_at(&self, name: &str) -> bool {
        let within =
            |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        !self.errors.iter().any(|error| within(&error.path))
    }

    /// Merges errors from another validator; the first error per path wins.
    pub fn add(&mut self, errors: impl IntoIterator<Item = FieldError>) {
        for error in errors {
            if self.errors.iter().all(|known| known.path != error.path) {
                self.report(error);
            }
        }
    }

    /// Returns all errors, if there are any.
    pub fn finish(mut self) -> Result<(), Vec<FieldError>> {
        for (name, _) in std::mem::take(&mut self.object.0) {
            self.error(name, "is not a known field");
        }
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }
}

/// The path in the form `denominations.1.factor`; empty for the value itself.
pub fn path_of(path: &serde_path_to_error::Path) -> String {
    let path = path.to_string();
    if path == "." { String::new() } else { path.replace('[', ".").replace(']', "") }
}

/// The message without line and column, which refer to a part of the body only.
pub fn words_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields {
        Fields::of(serde_json::from_str(json).unwrap())
    }

    fn paths(fields: Fields) -> Vec<String> {
        fields.finish().err().unwrap_or_default().into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let mut fields = fields(r#"{"a": 1, "n": 7.0, "list": [{"x": ""}, {"y": 1}], "z": null, "q": 1}"#);
        fields.text("a", 1..=5);
        fields.text("b", 1..=5);
        fields.integer("n", 0..=9, 0);
        fields.list("list", |entry| entry.text("x", 1..=2));
        assert_eq!(paths(fields), ["a", "b", "n", "list.0.x", "list.1.x", "list.1.y", "z", "q"]);
    }

    #[test]
    fn a_line_is_trimmed_before_its_length_counts() {
        let mut fields = fields(
            r#"{"a": "  Oak ", "b": "\u202eOak", "c": "Oak\nFir", "d": "\u3164", "e": " ", "f": "Larch"}"#,
        );
        assert_eq!(fields.line("a", 1..=3), "Oak");
        for name in ["b", "c", "d", "e", "f", "g"] {
            fields.line(name, 1..=4);
        }
        assert_eq!(fields.line("h", 0..=4), "");
        assert_eq!(paths(fields), ["b", "c", "d", "e", "f", "g"]);
    }

    #[test]
    fn a_text_of_blanks_is_missing() {
        let mut fields = fields(r#"{"a": " \n", "b": "\u3164\u200b", "c": " \n"}"#);
        fields.text("a", 1..=9);
        fields.text("b", 1..=9);
        fields.text("c", 0..=9);
        assert_eq!(paths(fields), ["a", "b"]);
    }

    #[test]
    fn null_is_absent_and_removes_in_a_patch() {
        let members: Object = serde_json::from_str(r#"{"a": "1", "b": "2"}"#).unwrap();
        let patch = serde_json::from_str(r#"{"a": null, "c": "3"}"#).unwrap();
        let mut fields = Fields::of(members.patched(patch));
        assert_eq!(fields.optional::<String>("a"), None);
        assert_eq!(fields.text("b", 1..=9), "2");
        assert_eq!(fields.text("c", 1..=9), "3");
        assert_eq!(paths(fields), Vec::<String>::new());
    }

    #[test]
    fn a_patch_goes_into_objects_and_replaces_lists() {
        let members: Object =
            serde_json::from_str(r#"{"o": {"a": 1, "b": 2}, "l": [1, 2], "p": 1}"#).unwrap();
        let patch = r#"{"o": {"a": null, "b": 0.10, "c": {"d": 4}}, "l": [3], "p": {"a": null}}"#;
        let patched = serde_json::to_string(&members.patched(serde_json::from_str(patch).unwrap())).unwrap();
        assert_eq!(patched, r#"{"o":{"a":null,"b":0.10,"c":{"d": 4}},"l":[3],"p":{"a": null}}"#);
    }

    #[test]
    fn a_member_given_twice_is_refused() {
        assert!(serde_json::from_str::<Object>(r#"{"a": 1, "a": 2}"#).is_err());
    }
}
