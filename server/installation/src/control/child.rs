//! The supervisor, as the server that it has started sees it.

use std::io::Error;
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use tokio::io::Interest;

use super::handover::{READY, receive_listener};
use super::{Control, Link};

/// Why a server can't follow its supervisor.
#[derive(Debug, thiserror::Error)]
pub enum MeetError {
    #[error("--supervised-by is for the supervisor, which is not {0}")]
    Orphan(u32),
    #[error("can't reach the supervisor: {0}")]
    Socket(#[from] Error),
}

/// The parent process of this server.
pub struct Supervisor(Arc<Link>);

impl Supervisor {
    /// Binds the life of this process to its parent, which must have the process id `parent`, and takes the
    /// socket that the parent passes as standard input. Must be called once, on the first thread, before
    /// other threads start.
    pub fn meet(parent: u32) -> Result<Self, MeetError> {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(Error::from)?;
        // If the parent has ended before the call, no signal comes.
        let found = getppid().map(|found| found.as_raw_nonzero().get().unsigned_abs());
        if found != Some(parent) {
            return Err(MeetError::Orphan(parent));
        }
        let socket = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        // Child processes of this one must not inherit the socket.
        rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?).map_err(Error::from)?;
        // The path by which the binary was started may not show what it is.
        let _ = rustix::thread::set_name(c"farthing");
        Ok(Self(Arc::new(Link { socket, address: OnceLock::new() })))
    }

    pub fn control(&self) -> Control {
        Control(Some(Arc::clone(&self.0)))
    }

    /// Reports that the server is ready, and receives the listening socket.
    pub async fn listener(&self) -> Result<TcpListener, Error> {
        let Link { socket, address } = &*self.0;
        self.0.send(READY)?;
        let readable = tokio::net::UnixStream::from_std(socket.try_clone()?)?;
        let listener = readable.async_io(Interest::READABLE, || receive_listener(socket)).await?;
        let local = listener.local_addr()?;
        address.get_or_init(|| local);
        Ok(listener)
    }

    /// Ends when the supervisor has ended. This covers systems that do not send the signal of `meet`.
    pub async fn gone(self) -> Result<(), Error> {
        let socket = tokio::net::UnixStream::from_std(self.0.socket.try_clone()?)?;
        loop {
            socket.readable().await?;
            match socket.try_read(&mut [0; 64]) {
                Ok(0) => return Ok(()),
                // Messages of a later version.
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }
}
