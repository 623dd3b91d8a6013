//! Errors in a definition: all of them at once, each with the path of its member.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Display;

use serde::{Deserialize, Serialize};

/// One member of a definition that is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionError {
    /// Member names and positions, separated by dots: `denominations.1.factor`.
    pub path: String,
    /// What the member must be, as the rest of a sentence: `must be …`.
    pub message: String,
}

/// Collects the errors of a definition, which is always checked to its end.
#[derive(Debug, Default)]
pub(crate) struct DefinitionErrors(Vec<DefinitionError>);

impl DefinitionErrors {
    /// Adds an error. The path is formatted only here, since most definitions have no errors.
    pub(crate) fn add(&mut self, path: impl Display, message: impl Into<String>) {
        self.0.push(DefinitionError { path: path.to_string(), message: message.into() });
    }

    /// Adds an error unless `holds`.
    pub(crate) fn check(&mut self, holds: bool, path: impl Display, message: &str) {
        if !holds {
            self.add(path, message);
        }
    }

    /// The value, or none and an error at `path`.
    pub(crate) fn read<T>(&mut self, path: impl Display, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.add(path, message)).ok()
    }

    /// The text of a required member, or none and an error at `path`.
    pub(crate) fn required<'a>(&mut self, path: &str, text: Option<&'a str>) -> Option<&'a str> {
        if text.is_none() {
            self.add(path, "must be given");
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
                    self.add(format_args!("{path}.{}", error.path), error.message);
                }
            })
            .ok()
    }

    /// The collected errors, if there are any.
    pub(crate) fn finish(self) -> Result<(), Vec<DefinitionError>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}
