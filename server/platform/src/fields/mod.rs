//! JSON objects, read member by member, so that all errors of a body are reported at once.

mod error;
mod object;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::DeserializeOwned;

pub use self::error::{Fault, FieldError};
pub use self::object::Object;
use crate::single_line::SingleLine;
use crate::text::{composed, is_visible};

/// Errors that one response reports, at most.
const ERRORS_MAX: usize = 100;

/// Reads members and collects their errors. [`finish`](Self::finish) reports every member that was not read
/// as unknown.
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

    /// The text, or the digits of a whole number, if it is given.
    pub fn text_or_integer(&mut self, name: &str) -> Option<String> {
        match self.object.get::<i64>(name) {
            Some(number) => {
                self.object.take(name);
                Some(number.to_string())
            }
            None => self.optional(name),
        }
    }

    /// The value; an absent one is an error too.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let given = self.object.gives(name);
        let value = self.optional(name);
        self.require(given, name);
        value
    }

    /// The value of a member that may be absent but not null, such as a change of a member that can't be
    /// removed.
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

    /// A text in normal form C with a length within `chars`. An absent text is empty, which is an error
    /// unless `chars` allows it.
    pub fn text(&mut self, name: &str, chars: RangeInclusive<usize>) -> String {
        let Some(text) = self.given_text(name, &chars) else { return String::new() };
        let text = composed(&text);
        let is_blank = *chars.start() > 0 && !text.chars().any(is_visible);
        if is_blank || !chars.contains(&text.chars().count()) {
            self.length_error(name, &chars, text.chars().count());
        } else if text.contains('\0') {
            // PostgreSQL can't store it.
            self.error(name, "must not contain the character NUL");
        }
        text
    }

    /// A text of one line with a length within `chars`. An absent one is empty, which is an error unless
    /// `chars` allows it.
    pub fn line(&mut self, name: &str, chars: RangeInclusive<usize>) -> String {
        let Some(text) = self.given_text(name, &chars) else { return String::new() };
        let Some(line) = self.parse::<SingleLine>(name, &text) else { return String::new() };
        // A text that may be empty is empty or visible, never blank.
        if line.chars() == 0 && !text.is_empty() && *chars.start() == 0 {
            let error = FieldError::new(name, "must be empty, or have a visible character");
            self.report(error.because(Fault::Invalid));
        }
        if !chars.contains(&line.chars()) {
            self.length_error(name, &chars, line.chars());
        }
        line.into_string()
    }

    /// A text of one line with a length within `chars`, which may be absent.
    pub fn optional_line(&mut self, name: &str, chars: RangeInclusive<usize>) -> Option<String> {
        if self.object.gives(name) { Some(self.line(name, chars)) } else { self.optional(name) }
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
        for name in self.object.take_names() {
            self.error(name, "is not a known field");
        }
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }
}

/// The path in the form `denominations.1.factor`; empty for the value itself.
pub fn path_of(path: &serde_path_to_error::Path) -> String {
    path.to_string().replace('[', ".").replace(']', "").trim_start_matches('.').to_owned()
}

/// The message without line and column, which refer to a part of the body only.
pub fn words_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
    fn a_line_that_may_be_empty_is_empty_or_visible() {
        let mut fields = fields(r#"{"none": "", "blank": " ", "some": " x "}"#);
        let lines = ["none", "blank", "some", "absent"].map(|name| fields.line(name, 0..=8));
        assert_eq!(lines, ["", "", "x", ""]);
        assert_eq!(paths(fields), ["blank"]);
    }

    #[test]
    fn a_wrong_entry_is_named_by_its_index() {
        let mut fields = fields(r#"{"ids": ["a", null], "rows": [{"count": "x"}]}"#);
        fields.optional::<Vec<String>>("ids");
        fields.optional::<Vec<BTreeMap<String, u8>>>("rows");
        assert_eq!(paths(fields), ["ids.1", "rows.0.count"]);
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
