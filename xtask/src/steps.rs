//! A run of named steps: each is announced, timed, and counted in the summary at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::failure::Outcome;

pub struct Steps {
    begun: Instant,
    done: Vec<(&'static str, Duration)>,
    failed: Option<(&'static str, Duration, String)>,
}

impl Steps {
    pub fn begin() -> Self {
        Self { begun: Instant::now(), done: Vec::new(), failed: None }
    }

    /// Runs one step. Its failure is remembered for the summary, and ends the run at the caller's `?`.
    pub fn run<T>(&mut self, name: &'static str, step: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        println!("\n== {name} (at {})", clock(self.begun.elapsed()));
        let begun = Instant::now();
        let outcome = step();
        match &outcome {
            Ok(_) => self.done.push((name, begun.elapsed())),
            Err(failure) => self.failed = Some((name, begun.elapsed(), failure.to_string())),
        }
        outcome
    }

    /// Prints every step with its seconds. The last line counts them, for a program to read.
    pub fn summary(&self) -> ExitCode {
        println!("\n{:<28} {:>9}", "step", "seconds");
        for (name, took) in &self.done {
            println!("{name:<28} {:>9.1}", took.as_secs_f64());
        }
        if let Some((name, took, why)) = &self.failed {
            println!("{name:<28} {:>9.1}  FAILED", took.as_secs_f64());
            println!("\nerror: {name}: {why}");
        }
        println!("\nin {}", clock(self.begun.elapsed()));
        println!("{} passed, {} failed", self.done.len(), u8::from(self.failed.is_some()));
        if self.failed.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

fn clock(elapsed: Duration) -> String {
    format!("{}:{:02} min", elapsed.as_secs() / 60, elapsed.as_secs() % 60)
}
