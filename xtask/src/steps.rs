//! A run of named steps: each is announced and timed, and a summary ends the run.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

pub struct TimedSteps {
    started: Instant,
    passed: Vec<(&'static str, Duration)>,
    failed: Option<(&'static str, Duration, String)>,
}

impl TimedSteps {
    pub fn start() -> Self {
        Self { started: Instant::now(), passed: Vec::new(), failed: None }
    }

    /// Runs one step. An error is kept for the summary and returned, so that the caller's `?` ends the run.
    pub fn run<T>(&mut self, name: &'static str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {name} (at {})", minutes(self.started.elapsed()));
        let started = Instant::now();
        let outcome = step();
        match &outcome {
            Ok(_) => self.passed.push((name, started.elapsed())),
            Err(error) => self.failed = Some((name, started.elapsed(), format!("{error:#}"))),
        }
        outcome
    }

    /// Prints every step with its duration. The last line has the counts, in a form that a program can read.
    pub fn summary(&self) -> ExitCode {
        println!("\n{:<28} {:>9}", "step", "seconds");
        for (name, took) in &self.passed {
            println!("{name:<28} {:>9.1}", took.as_secs_f64());
        }
        if let Some((name, took, error)) = &self.failed {
            println!("{name:<28} {:>9.1}  FAILED", took.as_secs_f64());
            println!("\nerror: {name}: {error}");
        }
        println!("\nin {}", minutes(self.started.elapsed()));
        println!("{} passed, {} failed", self.passed.len(), u8::from(self.failed.is_some()));
        if self.failed.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

fn minutes(elapsed: Duration) -> String {
    format!("{}:{:02} min", elapsed.as_secs() / 60, elapsed.as_secs() % 60)
}
