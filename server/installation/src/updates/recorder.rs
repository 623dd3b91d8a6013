//! Writes the journal of a run as it goes: each step's beginning and end at once, what its commands write once a second.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::command::Listener;
use super::journal::{
    self, Journal, JournalError, LockError, Run, RunStatus, Step, StepName, StepStatus, UpdateLock,
};
use platform::time::Clock;

/// How much of a step's output is kept: the last of it.
const OUTPUT_BYTES: usize = 16 * 1024;
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// The one writer of the journal; whoever has it has the lock.
pub struct Recorder {
    /// Nothing while the next server may take it.
    lock: Option<Arc<UpdateLock>>,
    data_dir: PathBuf,
    clock: Arc<dyn Clock>,
    pub journal: Journal,
    /// Of the step that runs.
    heard: Vec<u8>,
    saved_at: Instant,
}

impl Recorder {
    pub fn new(lock: Arc<UpdateLock>, data_dir: PathBuf, clock: Arc<dyn Clock>, journal: Journal) -> Self {
        Self { lock: Some(lock), data_dir, clock, journal, heard: Vec::new(), saved_at: Instant::now() }
    }

    /// Has the next server go on with the run.
    pub fn let_go(&mut self) {
        self.lock = None;
    }

    /// Where there is no next server.
    pub fn take_again(&mut self) -> Result<(), LockError> {
        self.lock = Some(Arc::new(UpdateLock::take(&self.data_dir)?));
        Ok(())
    }

    /// The run and the lock, for whoever goes on.
    pub fn into_parts(self) -> (Run, Option<Arc<UpdateLock>>) {
        (self.journal.run, self.lock)
    }

    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    pub async fn save(&mut self) -> Result<(), JournalError> {
        self.saved_at = Instant::now();
        let Some(lock) = self.lock.clone() else {
            let cause = std::io::Error::other("its lock was given away");
            return Err(JournalError::Io { path: self.data_dir.clone(), cause });
        };
        let (folder, journal) = (self.data_dir.clone(), self.journal.clone());
        let written = tokio::task::spawn_blocking(move || journal::write(&lock, &folder, &journal));
        written.await.unwrap_or_else(|gone| {
            Err(JournalError::Io { path: self.data_dir.clone(), cause: std::io::Error::other(gone) })
        })
    }

    pub async fn begin(&mut self, name: &StepName) -> Result<(), JournalError> {
        self.heard.clear();
        let now = self.clock.now();
        if let Some(step) = self.journal.run.step_mut(name) {
            step.begin(now);
        }
        tracing::info!(step = name.as_str(), "the update goes on");
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

    /// The end of the run. A step that was under way has failed.
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
        tracing::info!(?status, to, reason, "the update has ended");
        self.save().await
    }

    /// A line of the procedure's own.
    pub async fn say(&mut self, line: &str) {
        self.hear(format!("{line}\n").as_bytes()).await;
    }
}

/// Keeps what the step that runs has written.
impl Listener for Recorder {
    async fn hear(&mut self, piece: &[u8]) {
        self.heard.extend_from_slice(piece);
        let surplus = self.heard.len().saturating_sub(OUTPUT_BYTES);
        self.heard.drain(..surplus);
        let output = readable(&self.heard, surplus > 0);
        let running = |step: &&mut Step| step.status == StepStatus::Running;
        if let Some(step) = self.journal.run.steps.iter_mut().find(running) {
            step.output = output;
        }
        if self.saved_at.elapsed() >= SAVE_EVERY
            && let Err(error) = self.save().await
        {
            // Of the output alone; what a step has come to is written again at its end.
            tracing::warn!(error = &error as &dyn std::error::Error, "the output of the update is not kept");
        }
    }
}

/// As text; where its beginning is cut off, from the next line on.
fn readable(bytes: &[u8], cut: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = match text.split_once('\n') {
        Some((_, rest)) if cut => format!("…\n{rest}"),
        _ => text.into_owned(),
    };
    text.chars().filter(|char| !char.is_control() || "\n\t".contains(*char)).collect()
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn what_is_cut_begins_with_a_line() {
        assert_eq!(readable(b"one\ntwo\n", false), "one\ntwo\n");
        assert_eq!(readable(b"ne\ntwo\n", true), "…\ntwo\n");
        assert_eq!(readable(b"\x1b[1mbold\xff", false), "[1mbold\u{fffd}");
    }
}
