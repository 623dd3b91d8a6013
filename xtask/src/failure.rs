//! The one kind of error of this tool: a line for the person at the terminal that says what to do.

use std::fmt;
use std::path::Path;

#[derive(Debug)]
pub struct Failure(String);

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Says on which file an operation failed, which the standard library leaves out.
pub trait OnPath<T> {
    fn on(self, doing: &str, path: &Path) -> Outcome<T>;
}

impl<T> OnPath<T> for std::io::Result<T> {
    fn on(self, doing: &str, path: &Path) -> Outcome<T> {
        self.map_err(|error| Failure::new(format!("can't {doing} {}: {error}", path.display())))
    }
}
