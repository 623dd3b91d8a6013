//! The socket that outlives the servers.

use std::io::{Error, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use socket2::{Domain, Protocol, Socket, Type};

/// Connections that may wait while one server leaves and the next one starts. The system may bound it further; whom
/// there is no room for knocks again, which the system does by itself.
const WAITING_MAX: i32 = 4096;
/// A server that was killed just now may still hold the address.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// Why there is nothing to listen on.
#[derive(Debug, thiserror::Error)]
#[error("can't listen on {address}: {reason}")]
pub struct ListenError {
    address: SocketAddr,
    reason: String,
}

/// Listens on `address`.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    let begun = Instant::now();
    loop {
        match try_listen(address) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse && begun.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => {
                let reason = match error.kind() {
                    ErrorKind::AddrInUse => "the port is taken; choose another with --listen".to_owned(),
                    _ => error.to_string(),
                };
                return Err(ListenError { address, reason });
            }
        }
    }
}

fn try_listen(address: SocketAddr) -> Result<TcpListener, Error> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Connections of before that still fade away don't keep the port.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(WAITING_MAX)?;
    // Servers take from it as they are told that there is something.
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}
