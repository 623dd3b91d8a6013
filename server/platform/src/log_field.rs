//! Errors as fields of log lines.

use std::error::Error;

/// An error as the field of a log line, which has its causes too: `error = logged(&error)`.
pub fn logged<E: Error + 'static>(error: &E) -> &(dyn Error + 'static) {
    error
}
