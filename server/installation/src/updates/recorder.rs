//! Records a run in the journal: the beginning and end of each step at once, the output of commands once a
//! second.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::command::OutputSink;
use crate::journal::{
    self, Journal, JournalError, LockError, Run, RunFeed, RunStatus, Step, StepName, StepStatus, UpdateLock,
};
use platform::log_field::logged;
use platform::time::Clock;

/// The maximum output of a step. Earlier output is dropped.
const OUTPUT_BYTES_MAX: usize = 16 * 1024;
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// The only writer of the journal: it holds the lock.
pub struct Recorder {
    /// `None` while the next server may acquire it.
    lock: Option<Arc<UpdateLock>>,
    feed: Arc<RunFeed>,
    clock: Arc<dyn Clock>,
    pub journal: Journal,
    /// The output of the current step.
    output: Vec<u8>,
    saved_at: Instant,
}

impl Recorder {
    pub fn new(lock: Arc<UpdateLock>, feed: Arc<RunFeed>, clock: Arc<dyn Clock>, journal: Journal) -> Self {
        Self { lock: Some(lock), feed, clock, journal, output: Vec::new(), saved_at: Instant::now() }
    }

    /// Releases the lock, so that the next server can continue the run.
    pub fn release_lock(&mut self) {
        self.lock = None;
    }

    /// Acquires the lock again, if there is no next server.
    pub fn lock_again(&mut self) -> Result<(), LockError> {
        self.lock = Some(Arc::new(UpdateLock::take(self.feed.data_dir())?));
        Ok(())
    }

    /// The run and the lock.
    pub fn into_parts(self) -> (Run, Option<Arc<UpdateLock>>) {
        (self.journal.run, self.lock)
    }

    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// Writes the journal durably and publishes the run.
    pub async fn save(&mut self) -> Result<(), JournalError> {
        self.saved_at = Instant::now();
        let Some(lock) = self.lock.clone() else {
            let cause = std::io::Error::other("the lock was released");
            return Err(JournalError::Io { path: self.feed.data_dir().to_owned(), cause });
        };
        let (feed, journal) = (Arc::clone(&self.feed), self.journal.clone());
        let written = tokio::task::spawn_blocking(move || {
            journal::write(&lock, feed.data_dir(), &journal)?;
            feed.publish(&journal.run);
            Ok(())
        });
        written.await.unwrap_or_else(|error| {
            let cause = std::io::Error::other(error);
            Err(JournalError::Io { path: self.feed.data_dir().to_owned(), cause })
        })
    }

    pub async fn begin(&mut self, name: &StepName) -> Result<(), JournalError> {
        self.output.clear();
        let now = self.clock.now();
        if let Some(step) = self.journal.run.step_mut(name) {
            step.begin(now);
        }
        tracing::info!(step = name.as_str(), "the update has begun a step");
        self.save().await
    }

    pub async fn end(
        &mut self,
        name: &StepName,
        status: StepStatus,
        reason: Option<String>,
    ) -> Result<(), JournalError> {
        let now = self.clock.now();
        if let Some(step) = self.journal.run.step_mut(name) {
            step.end(status, reason, now);
        }
        self.save().await
    }

    /// Ends the run. A running step has failed.
    pub async fn finish(&mut self, status: RunStatus, reason: Option<String>) -> Result<(), JournalError> {
        let now = self.clock.now();
        let run = &mut self.journal.run;
        for step in run.steps.iter_mut().filter(|step| step.status == StepStatus::Running) {
            step.end(StepStatus::Failed, reason.clone(), now);
        }
        run.status = status;
        run.reason = reason;
        run.finished_at = Some(now);
        let (to, reason) = (run.to_version.as_deref(), run.reason.as_deref());
        match status {
            RunStatus::RolledBack | RunStatus::Failed => {
                tracing::error!(?status, to, reason, "the update has ended");
            }
            _ => tracing::info!(?status, to, reason, "the update has ended"),
        }
        self.save().await
    }

    /// Adds a line to the output of the current step.
    pub async fn write_line(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes()).await;
    }
}

/// Records the output of the current step.
impl OutputSink for Recorder {
    async fn write(&mut self, piece: &[u8]) {
        self.output.extend_from_slice(piece);
        let excess = self.output.len().saturating_sub(OUTPUT_BYTES_MAX);
        self.output.drain(..excess);
        let output = readable(&self.output, excess > 0);
        let running = |step: &&mut Step| step.status == StepStatus::Running;
        if let Some(step) = self.journal.run.steps.iter_mut().find(running) {
            step.output = output;
        }
        if self.saved_at.elapsed() >= SAVE_INTERVAL
            && let Err(error) = self.save().await
        {
            // Only output is lost: the end of a step is saved again.
            tracing::warn!(error = logged(&error), "can't record the output of the update");
        }
    }
}

/// The output as text. If the beginning was dropped, the text begins at the next line.
fn readable(bytes: &[u8], is_truncated: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = match text.split_once('\n') {
        Some((_, rest)) if is_truncated => format!("…\n{rest}"),
        _ => text.into_owned(),
    };
    text.chars().filter(|char| !char.is_control() || "\n\t".contains(*char)).collect()
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn truncated_output_begins_with_a_whole_line() {
        assert_eq!(readable(b"one\ntwo\n", false), "one\ntwo\n");
        assert_eq!(readable(b"ne\ntwo\n", true), "…\ntwo\n");
        assert_eq!(readable(b"\x1b[1mbold\xff", false), "[1mbold\u{fffd}");
    }
}
