//! Errors in a definition: all of them at once, each with the path of its member.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::{
    bounds::MAX_NORMALIZED,
    money::{NORMALIZED_DIGITS, decimal_in},
};

/// One member of a definition that is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionError {
    /// Member names and positions, separated by dots: `denominations.1.factor`.
    pub path: String,
    /// What the member must be, as the rest of a sentence: `must be …`.
    pub message: String,
    /// What is wrong, for a form with words of its own.
    #[serde(skip)]
    pub fault: DefinitionFault,
}

/// What is wrong with a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DefinitionFault {
    /// None of the others.
    #[default]
    Invalid,
    /// It is absent.
    Missing,
    /// It is no decimal within its bounds.
    Decimal {
        /// The greatest one.
        max: String,
        /// Fraction digits, at most.
        digits: u32,
    },
    /// Another entry of the list has the same value.
    Duplicate,
}

/// Why the text of a member has no value.
#[derive(Clone, Debug)]
pub(crate) struct Unreadable {
    message: String,
    fault: DefinitionFault,
}

impl Unreadable {
    /// The member is absent.
    pub(crate) fn missing() -> Self {
        Self { message: MISSING.into(), fault: DefinitionFault::Missing }
    }

    /// The member is no decimal in a range that ends with `max`.
    pub(crate) fn decimal(range: &str, max: String, digits: u32) -> Self {
        let message = decimal_in(range, &max, digits);
        Self { message, fault: DefinitionFault::Decimal { max, digits } }
    }
}

/// The message for an absent member.
const MISSING: &str = "must be given";

/// Collects the errors of a definition, which is always checked to its end.
#[derive(Debug, Default)]
pub(crate) struct DefinitionErrors(Vec<DefinitionError>);

impl DefinitionErrors {
    /// Adds an error. The path is formatted only here, since most definitions have no errors.
    pub(crate) fn add(&mut self, path: impl Display, message: impl Into<String>) {
        self.add_fault(path, message, DefinitionFault::Invalid);
    }

    fn add_fault(&mut self, path: impl Display, message: impl Into<String>, fault: DefinitionFault) {
        self.0.push(DefinitionError { path: path.to_string(), message: message.into(), fault });
    }

    /// Adds the error that another entry of the list has the same value.
    pub(crate) fn duplicate(&mut self, path: impl Display, message: &str) {
        self.add_fault(path, message, DefinitionFault::Duplicate);
    }

    /// Adds an error unless `holds`.
    pub(crate) fn check(&mut self, holds: bool, path: impl Display, message: &str) {
        if !holds {
            self.add(path, message);
        }
    }

    /// Adds an error unless a normalized amount fits its range, which ends with the greatest one.
    pub(crate) fn check_amount(&mut self, fits: bool, path: impl Display, range: &str) {
        if !fits {
            self.add(path, decimal_in(range, &String::from(MAX_NORMALIZED), NORMALIZED_DIGITS));
        }
    }

    /// The value, or none and an error at `path`.
    pub(crate) fn read<T>(&mut self, path: impl Display, value: Result<T, Unreadable>) -> Option<T> {
        value.map_err(|error| self.add_fault(path, error.message, error.fault)).ok()
    }

    /// The text of a required member, or none and an error at `path`.
    pub(crate) fn required<'a>(&mut self, path: &str, text: Option<&'a str>) -> Option<&'a str> {
        if text.is_none() {
            self.add_fault(path, MISSING, DefinitionFault::Missing);
        }
        text
    }

    /// The value, or none and the errors of a nested definition, below `path`.
    pub(crate) fn within<T>(
        &mut self,
        path: impl Display,
        value: Result<T, Vec<DefinitionError>>,
    ) -> Option<T> {
        value
            .map_err(|inner| {
                for error in inner {
                    self.add_fault(format_args!("{path}.{}", error.path), error.message, error.fault);
                }
            })
            .ok()
    }

    /// The collected errors, if there are any.
    pub(crate) fn finish(self) -> Result<(), Vec<DefinitionError>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}
