//! The server as its parent sees it.

use std::ffi::OsString;
use std::io::Error;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::Command;

use super::handover::{CONFIRMED, READY, REFUSED, RESTART, send_listener};

/// The flag by which a server knows that it is a child, and whose.
const FLAG: &str = "--supervised-by";
/// Leaves well within this after SIGTERM, or is killed.
const LEAVE_MAX: Duration = Duration::from_secs(10);

/// What a child tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    Ready,
    WantsRestart,
    /// A new version: it serves as it should.
    Confirmed,
    /// A new version: it does not, for this reason.
    Refused(String),
    Ended(ExitStatus),
}

pub struct Child {
    process: tokio::process::Child,
    socket: UnixStream,
    words: Option<Lines<BufReader<tokio::net::UnixStream>>>,
    /// When it said that it is ready.
    ready_since: Option<Instant>,
}

impl Child {
    /// Starts `binary` with `args`. Must be called on a thread that lives as long as this process: the child ends with
    /// the thread that started it.
    pub fn start(binary: &Path, args: &[OsString]) -> Result<Self, Error> {
        let (ours, theirs) = UnixStream::pair()?;
        let process = Command::new(binary)
            .arg0("farthing")
            .args(args)
            .arg(format!("{FLAG}={}", std::process::id()))
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()?;
        ours.set_nonblocking(true)?;
        let words = BufReader::new(tokio::net::UnixStream::from_std(ours.try_clone()?)?).lines();
        Ok(Self { process, socket: ours, words: Some(words), ready_since: None })
    }

    /// What it tells next.
    pub async fn news(&mut self) -> Result<News, Error> {
        loop {
            let Some(words) = &mut self.words else {
                return Ok(News::Ended(self.process.wait().await?));
            };
            tokio::select! {
                biased;
                word = words.next_line() => match word.ok().flatten().as_deref() {
                    Some(READY) => {
                        self.ready_since = Some(Instant::now());
                        return Ok(News::Ready);
                    }
                    Some(RESTART) => return Ok(News::WantsRestart),
                    Some(CONFIRMED) => return Ok(News::Confirmed),
                    Some(word) => {
                        if let Some(reason) = word.strip_prefix(REFUSED) {
                            return Ok(News::Refused(reason.to_owned()));
                        }
                        // Another word is one of a later version.
                    }
                    None => self.words = None,
                },
                ended = self.process.wait() => return Ok(News::Ended(ended?)),
            }
        }
    }

    /// Hands it the socket on which it shall serve.
    pub fn give(&self, listener: &TcpListener) -> Result<(), Error> {
        send_listener(&self.socket, listener)
    }

    /// For how long it has served.
    pub fn served(&self) -> Duration {
        self.ready_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Tells it to stop, kills it if it does not, and waits for its end.
    pub async fn leave(&mut self) -> Result<ExitStatus, Error> {
        // A process that was not waited for keeps its number.
        if let Some(pid) = self.process.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // It may be gone already.
            let _ = kill_process(pid, Signal::TERM);
        }
        if let Ok(ended) = tokio::time::timeout(LEAVE_MAX, self.process.wait()).await {
            return ended;
        }
        tracing::error!("the server did not leave in time, and is killed");
        self.kill().await
    }

    /// Kills it where it still runs, and waits for its end.
    pub async fn kill(&mut self) -> Result<ExitStatus, Error> {
        // What has ended can't be killed.
        let _ = self.process.start_kill();
        self.process.wait().await
    }
}

/// What the parent's own end says of how its child ended; a child that `was_told` to stop may do so by the signal
/// itself, before it can do anything about it.
pub fn code_of(ended: ExitStatus, was_told: bool) -> u8 {
    match (ended.code(), ended.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(1),
        (None, Some(signal)) if was_told && signal == Signal::TERM.as_raw() => 0,
        // As a shell says it.
        (None, signal) => signal.and_then(|signal| u8::try_from(128 + signal).ok()).unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_as_the_child_ended() {
        let exit = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(code_of(exit(0), true), 0);
        assert_eq!(code_of(exit(3), false), 3);
        assert_eq!(code_of(ExitStatus::from_raw(9), true), 137);
        assert_eq!(code_of(ExitStatus::from_raw(15), true), 0);
        assert_eq!(code_of(ExitStatus::from_raw(15), false), 143);
    }
}
