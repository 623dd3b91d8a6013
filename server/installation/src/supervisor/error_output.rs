//! The standard error of a new version: passed on to that of the supervisor, and its end recorded, because it
//! says why the version ended.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// The recorded end of the output.
const END_BYTES_MAX: usize = 4096;
/// The maximum length of the last line.
const LINE_CHARS_MAX: usize = 300;
/// Processes that the ended one has started may hold the pipe open.
const DRAIN_MAX: Duration = Duration::from_secs(1);
/// How Rust's report of a panic ends, which is not its reason.
const PANIC_NOTE: &str = "note: ";

pub struct ErrorOutput {
    end: Arc<Mutex<Vec<u8>>>,
    /// Closed when the pipe has ended.
    drained: oneshot::Receiver<()>,
}

impl ErrorOutput {
    /// Passes the output of `pipe` on until it ends, in a thread of its own: a log that is not read must not
    /// block the supervisor.
    pub fn pass_on(pipe: impl Read + Send + 'static) -> Self {
        let (end, (draining, drained)) = (Arc::default(), oneshot::channel());
        let recorded = Arc::clone(&end);
        std::thread::spawn(move || {
            copy(pipe, &recorded);
            drop(draining);
        });
        Self { end, drained }
    }

    /// The last line, once the process has ended.
    pub async fn last_line(&mut self) -> Option<String> {
        // What is read so far counts if the pipe stays open.
        let _ = tokio::time::timeout(DRAIN_MAX, &mut self.drained).await;
        last_line(&self.end.lock())
    }
}

fn copy(mut pipe: impl Read, end: &Mutex<Vec<u8>>) {
    let mut piece = [0; END_BYTES_MAX];
    while let Ok(length @ 1..) = pipe.read(&mut piece) {
        let read = piece.get(..length).unwrap_or_default();
        // The pipe is emptied in any case, so that the process never blocks.
        let _ = std::io::stderr().write_all(read);
        let mut end = end.lock();
        end.extend_from_slice(read);
        let excess = end.len().saturating_sub(END_BYTES_MAX);
        end.drain(..excess);
    }
}

fn last_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let is_reason = |line: &&str| !line.is_empty() && !line.starts_with(PANIC_NOTE);
    let line = text.lines().map(str::trim).rfind(is_reason)?;
    Some(line.chars().filter(|char| !char.is_control()).take(LINE_CHARS_MAX).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_reason() {
        for (output, line) in [
            ("", None),
            ("\n\n", None),
            ("listening\nno such table: bids\n\n", Some("no such table: bids")),
            (
                "thread 'main' panicked at src/main.rs:1:5:\nout of range\nnote: run with",
                Some("out of range"),
            ),
            ("\x1b[31mred\x1b[0m", Some("[31mred[0m")),
        ] {
            assert_eq!(last_line(output.as_bytes()).as_deref(), line, "{output:?}");
        }
        assert_eq!(last_line("x".repeat(1000).as_bytes()).unwrap().len(), LINE_CHARS_MAX);
    }

    #[tokio::test]
    async fn output_that_arrives_before_the_end_counts() {
        let mut output = ErrorOutput::pass_on(&b"first\nlast\n"[..]);
        assert_eq!(output.last_line().await.as_deref(), Some("last"));
    }
}
