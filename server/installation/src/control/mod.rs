//! How a server, its supervisor and the process that has started both communicate. The supervisor itself is
//! in `supervisor`.
//!
//! INVARIANT: the two may be of different versions. The messages of `handover.rs` and the flag
//! `--supervised-by` are only ever extended, and both sides ignore messages that they do not know.

mod announce;
mod child;
pub(crate) mod handover;

use std::io::{Error, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};

use handover::{ALIVE, ANSWERED, CONFIRMED, REFUSED, RESTART};

pub use announce::{ANNOUNCE_VARIABLE, Announcement, announce};
pub use child::{MeetError, Supervisor};

/// Why nothing was restarted.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    #[error("no supervisor runs here")]
    None,
    #[error("can't reach the supervisor: {0}")]
    Io(#[from] Error),
}

/// The requests and reports of a server to its supervisor.
#[derive(Debug, Clone, Default)]
pub struct Control(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    socket: UnixStream,
    /// Set once the server has its listening socket.
    address: OnceLock<SocketAddr>,
}

impl Link {
    /// Messages are short, and the socket buffers thousands.
    fn send(&self, message: &str) -> Result<(), Error> {
        (&self.socket).write_all(format!("{message}\n").as_bytes())
    }
}

impl Control {
    /// The control of a server without a supervisor: it can't be restarted from within.
    pub fn unsupervised() -> Self {
        Self(None)
    }

    /// Requests that a new server replaces this one, and returns at once. The supervisor stops this server as
    /// by SIGTERM and then starts the next. New connections wait meanwhile.
    pub fn restart(&self) -> Result<(), ControlError> {
        self.send(RESTART)
    }

    /// Reports that this server works.
    pub fn alive(&self) -> Result<(), ControlError> {
        self.send(ALIVE)
    }

    /// Reports that this server, of a new version, answers and writes are open.
    pub fn answered(&self) -> Result<(), ControlError> {
        self.send(ANSWERED)
    }

    /// Reports that this server, of a new version, is healthy.
    pub fn confirm(&self) -> Result<(), ControlError> {
        self.send(CONFIRMED)
    }

    /// Reports that this server, of a new version, is not healthy. The supervisor ends it and rolls the
    /// update back.
    pub fn refuse(&self, reason: &str) -> Result<(), ControlError> {
        // A message is one line.
        self.send(&format!("{REFUSED}{}", reason.replace(['\n', '\r'], " ")))
    }

    pub fn is_supervised(&self) -> bool {
        self.0.is_some()
    }

    /// The address of the listening socket; `None` before the server has it.
    pub fn address(&self) -> Option<SocketAddr> {
        self.0.as_ref()?.address.get().copied()
    }

    fn send(&self, message: &str) -> Result<(), ControlError> {
        Ok(self.0.as_ref().ok_or(ControlError::None)?.send(message)?)
    }
}
