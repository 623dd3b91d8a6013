//! What is wrong with a field, for the API and for forms.

use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::ToSchema;

/// An invalid field: its path (`denominations.1.factor`; empty for the body itself) and a message, which is
/// the rest of a sentence, `must be given`, or a complete one, `Enter an amount.`
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
        self.message.starts_with(|first: char| first.is_ascii_uppercase())
    }
}
