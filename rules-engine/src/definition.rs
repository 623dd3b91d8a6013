//! What is wrong with a definition: all of it at once, each with the path of the member it is about.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Display;

use serde::{Deserialize, Serialize};

/// One member of a definition that is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionError {
    /// Where: member names and positions, dotted, as in `denominations.1.factor`.
    pub path: String,
    /// What it must be, as the rest of a sentence: `must be …`.
    pub message: String,
}

/// The errors found so far. A definition is read to its end before they are given back.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<DefinitionError>);

impl Faults {
    /// The path is made up only here: most definitions have no fault.
    pub(crate) fn add(&mut self, path: impl Display, message: impl Into<String>) {
        self.0.push(DefinitionError { path: path.to_string(), message: message.into() });
    }

    /// Adds a fault unless `holds`.
    pub(crate) fn check(&mut self, holds: bool, path: impl Display, message: &str) {
        if !holds {
            self.add(path, message);
        }
    }

    /// The value, or nothing and a fault at `path`.
    pub(crate) fn read<T>(&mut self, path: impl Display, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.add(path, message)).ok()
    }

    /// The value, or nothing and the faults of a definition within this one, at `path`.
    pub(crate) fn within<T>(
        &mut self,
        path: impl Display,
        value: Result<T, Vec<DefinitionError>>,
    ) -> Option<T> {
        value
            .map_err(|inner| {
                for fault in inner {
                    self.add(format_args!("{path}.{}", fault.path), fault.message);
                }
            })
            .ok()
    }

    /// Nothing if nothing was found, else all that was.
    pub(crate) fn finish(self) -> Result<(), Vec<DefinitionError>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}
