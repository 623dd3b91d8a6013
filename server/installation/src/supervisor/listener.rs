//! The listening socket, which outlives the servers.

use std::io::{Error, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use socket2::{Domain, Protocol, Socket, Type};

/// Connections that may wait while one server stops and the next one starts. The kernel may limit the number
/// further. Beyond it, the client's kernel repeats the attempt.
const BACKLOG: i32 = 4096;
/// How long to retry: a server that was just killed may still hold the address.
const RETRY_MAX: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Why the address can't be used.
#[derive(Debug, thiserror::Error)]
#[error("can't listen on {address}: {reason}")]
pub struct BindError {
    address: SocketAddr,
    reason: String,
}

/// Listens on `address`, with retries while it is in use.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, BindError> {
    let begun = Instant::now();
    loop {
        match try_listen(address) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse && begun.elapsed() < RETRY_MAX => {
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            Err(error) => {
                let reason = match error.kind() {
                    ErrorKind::AddrInUse => "the port is taken; choose another with --listen".to_owned(),
                    _ => error.to_string(),
                };
                return Err(BindError { address, reason });
            }
        }
    }
}

fn try_listen(address: SocketAddr) -> Result<TcpListener, Error> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Connections of a former server in TIME_WAIT must not block the port.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    // The servers accept without blocking.
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}
