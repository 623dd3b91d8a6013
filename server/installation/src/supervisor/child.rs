//! The server process, as the supervisor sees it.

use std::ffi::OsString;
use std::fs::File;
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

use super::binary::installed_path;
use super::error_output::ErrorOutput;
use crate::config::INSTALLED_VARIABLE;
use crate::control::handover::{ALIVE, ANSWERED, CONFIRMED, READY, REFUSED, RESTART, send_listener};

/// Tells a server the process id of its supervisor.
const FLAG: &str = "--supervised-by";
/// The maximum time from SIGTERM to the end of a server; after that it is killed.
const STOP_MAX: Duration = Duration::from_secs(10);

/// An event of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildEvent {
    Ready,
    WantsRestart,
    Alive,
    /// A new version answers, and writes are open.
    Answered,
    /// A new version is healthy.
    Confirmed,
    /// A new version is not healthy, for this reason.
    Refused(String),
    Ended(ExitStatus),
}

pub struct Child {
    process: tokio::process::Child,
    socket: UnixStream,
    /// `None` once the child has closed its end of the socket.
    messages: Option<Lines<BufReader<tokio::net::UnixStream>>>,
    /// When the child reported that it is ready.
    ready_since: Option<Instant>,
    error_output: Option<ErrorOutput>,
}

impl Child {
    /// Starts `binary` with `args`. Must be called on a thread that lives as long as this process, because
    /// the child is killed when the thread that started it ends.
    pub fn start(binary: &Path, args: &[OsString]) -> Result<Self, Error> {
        Self::start_with(binary, args, Stdio::inherit())
    }

    /// Starts `binary` as [`Child::start`] does, and records its standard error, which is passed on.
    pub fn start_recorded(binary: &Path, args: &[OsString]) -> Result<Self, Error> {
        let mut child = Self::start_with(binary, args, Stdio::piped())?;
        if let Some(pipe) = child.process.stderr.take() {
            child.error_output = Some(ErrorOutput::pass_on(File::from(pipe.into_owned_fd()?)));
        }
        Ok(child)
    }

    fn start_with(binary: &Path, args: &[OsString], error_output: Stdio) -> Result<Self, Error> {
        let (ours, theirs) = UnixStream::pair()?;
        let process = Command::new(binary)
            .arg0("farthing")
            .args(args)
            .arg(format!("{FLAG}={}", std::process::id()))
            .env(INSTALLED_VARIABLE, installed_path()?)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stderr(error_output)
            .spawn()?;
        ours.set_nonblocking(true)?;
        let messages = BufReader::new(tokio::net::UnixStream::from_std(ours.try_clone()?)?).lines();
        Ok(Self { process, socket: ours, messages: Some(messages), ready_since: None, error_output: None })
    }

    /// The next event.
    pub async fn event(&mut self) -> Result<ChildEvent, Error> {
        loop {
            let Some(messages) = &mut self.messages else {
                return Ok(ChildEvent::Ended(self.process.wait().await?));
            };
            tokio::select! {
                biased;
                message = messages.next_line() => match message.ok().flatten().as_deref() {
                    Some(READY) => {
                        self.ready_since = Some(Instant::now());
                        return Ok(ChildEvent::Ready);
                    }
                    Some(RESTART) => return Ok(ChildEvent::WantsRestart),
                    Some(ALIVE) => return Ok(ChildEvent::Alive),
                    Some(ANSWERED) => return Ok(ChildEvent::Answered),
                    Some(CONFIRMED) => return Ok(ChildEvent::Confirmed),
                    Some(message) => {
                        if let Some(reason) = message.strip_prefix(REFUSED) {
                            return Ok(ChildEvent::Refused(reason.to_owned()));
                        }
                        // Any other message is one of a later version.
                    }
                    None => self.messages = None,
                },
                ended = self.process.wait() => return Ok(ChildEvent::Ended(ended?)),
            }
        }
    }

    /// Passes the listening socket.
    pub fn pass_listener(&self, listener: &TcpListener) -> Result<(), Error> {
        send_listener(&self.socket, listener)
    }

    /// The last line of the recorded standard error of a child that has ended.
    pub async fn last_line(&mut self) -> Option<String> {
        self.error_output.as_mut()?.last_line().await
    }

    /// How long the child has been ready.
    pub fn uptime(&self) -> Duration {
        self.ready_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Stops the child, kills it if it does not stop in time, and waits for its end.
    pub async fn stop(&mut self) -> Result<ExitStatus, Error> {
        // A process id is not reused before the process was waited for.
        if let Some(pid) = self.process.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // It may have ended already.
            let _ = kill_process(pid, Signal::TERM);
        }
        if let Ok(ended) = tokio::time::timeout(STOP_MAX, self.process.wait()).await {
            return ended;
        }
        tracing::error!("the server did not stop in time and is killed");
        self.kill().await
    }

    /// Kills the child if it still runs, and waits for its end.
    pub async fn kill(&mut self) -> Result<ExitStatus, Error> {
        // Fails if the child has ended.
        let _ = self.process.start_kill();
        self.process.wait().await
    }
}

/// The exit code of the supervisor for that of its child. A child that `was_stopped` may end by SIGTERM
/// itself, before it has a handler for the signal.
pub fn exit_code(ended: ExitStatus, was_stopped: bool) -> u8 {
    match (ended.code(), ended.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(1),
        (None, Some(signal)) if was_stopped && signal == Signal::TERM.as_raw() => 0,
        // As in a shell.
        (None, signal) => signal.and_then(|signal| u8::try_from(128 + signal).ok()).unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_that_of_the_child() {
        let exit = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(exit_code(exit(0), true), 0);
        assert_eq!(exit_code(exit(3), false), 3);
        assert_eq!(exit_code(ExitStatus::from_raw(9), true), 137);
        assert_eq!(exit_code(ExitStatus::from_raw(15), true), 0);
        assert_eq!(exit_code(ExitStatus::from_raw(15), false), 143);
    }
}
