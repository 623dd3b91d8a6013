//! Errors that servers have logged: what a test shows whose request failed with an internal error, since no
//! answer contains the cause.

use std::sync::Mutex;

use tracing::Event;
use tracing::field::{Field, Visit};

/// Errors that are kept: those of the tests at work, of which there are a few at the same time.
const KEPT: usize = 20;

static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }
}

/// Keeps an error of the log.
pub fn add(event: &Event<'_>) {
    let mut line = Line::default();
    event.record(&mut line);
    let mut errors = ERRORS.lock().unwrap();
    if errors.len() == KEPT {
        errors.remove(0);
    }
    errors.push(line.0);
}

/// What an assertion says of an answer: its text and, if the server failed, the newest errors of all tests.
pub fn of(status: u16, text: &str) -> String {
    if status != 500 {
        return text.to_owned();
    }
    format!("{text}\nthe newest errors of the log:\n{}", ERRORS.lock().unwrap().join("\n"))
}
