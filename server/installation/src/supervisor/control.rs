//! The child's side: the server that was started by a supervisor.

use std::io::{Error, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use tokio::io::Interest;

use super::handover::{CONFIRMED, READY, REFUSED, RESTART, receive_listener};

/// Why a server can't follow its supervisor.
#[derive(Debug, thiserror::Error)]
pub enum MeetError {
    #[error("--supervised-by is for the supervisor, which is not {0}")]
    Orphan(u32),
    #[error("can't reach the supervisor: {0}")]
    Socket(#[from] Error),
}

/// Why nothing was restarted.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    #[error("no supervisor runs here")]
    None,
    #[error("can't reach the supervisor: {0}")]
    Io(#[from] Error),
}

/// The parent, as its child sees it.
pub struct Supervisor(Arc<Link>);

/// What the server can ask of its supervisor, and tell it.
#[derive(Debug, Clone, Default)]
pub struct Control(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    socket: UnixStream,
    /// Once there is a listening socket.
    address: OnceLock<SocketAddr>,
}

impl Supervisor {
    /// Binds the life of this process to that of its parent, which must be `parent`, and takes what it gives as
    /// standard input. Call it once, on the first thread, before there are others.
    pub fn meet(parent: u32) -> Result<Self, MeetError> {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(Error::from)?;
        // Whoever was left alone before that hears of nothing any more.
        let found = getppid().map(|found| found.as_raw_nonzero().get().unsigned_abs());
        if found != Some(parent) {
            return Err(MeetError::Orphan(parent));
        }
        let socket = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        // Processes that this one starts don't get it.
        rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?).map_err(Error::from)?;
        // The binary may have been started by a path that says little.
        let _ = rustix::thread::set_name(c"farthing");
        Ok(Self(Arc::new(Link { socket, address: OnceLock::new() })))
    }

    pub fn control(&self) -> Control {
        Control(Some(Arc::clone(&self.0)))
    }

    /// Says that the server is ready, and takes the listening socket.
    pub async fn listener(&self) -> Result<TcpListener, Error> {
        let Link { socket, address } = &*self.0;
        say(socket, READY)?;
        let readable = tokio::net::UnixStream::from_std(socket.try_clone()?)?;
        let listener = readable.async_io(Interest::READABLE, || receive_listener(socket)).await?;
        let local = listener.local_addr()?;
        address.get_or_init(|| local);
        Ok(listener)
    }

    /// Ends when the supervisor is gone, however that came about. It is the second sign: the first, a signal, has
    /// ended this process where the system gives it.
    pub async fn gone(self) -> Result<(), Error> {
        let socket = tokio::net::UnixStream::from_std(self.0.socket.try_clone()?)?;
        loop {
            socket.readable().await?;
            match socket.try_read(&mut [0; 64]) {
                Ok(0) => return Ok(()),
                // Words of a later version.
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Control {
    /// That of a server which nobody supervises: it can't be restarted from within.
    pub fn unsupervised() -> Self {
        Self(None)
    }

    /// Asks for a new server in this one's place, and returns at once. This one is told to stop, as by SIGTERM, and
    /// the new one starts when it has left; who connects meanwhile waits.
    pub fn restart(&self) -> Result<(), ControlError> {
        self.say(RESTART)
    }

    /// Says that this server, of a new version, serves as it should.
    pub fn confirm(&self) -> Result<(), ControlError> {
        self.say(CONFIRMED)
    }

    /// Says that this server, of a new version, does not serve as it should, and why: it is ended, and the update taken
    /// back.
    pub fn refuse(&self, reason: &str) -> Result<(), ControlError> {
        // A line is all that there is.
        self.say(&format!("{REFUSED}{}", reason.replace(['\n', '\r'], " ")))
    }

    /// Where this server listens, once it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.0.as_ref()?.address.get().copied()
    }

    fn say(&self, word: &str) -> Result<(), ControlError> {
        say(&self.0.as_ref().ok_or(ControlError::None)?.socket, word)?;
        Ok(())
    }
}

/// A word is short, and the socket has room for thousands.
fn say(mut socket: &UnixStream, word: &str) -> Result<(), Error> {
    socket.write_all(format!("{word}\n").as_bytes())
}
