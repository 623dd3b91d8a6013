//! Accepts and serves connections. Their number is limited by the file descriptors, and timeouts close idle
//! and slow connections, so that they cannot starve other clients (SPEC, section 9).

mod client;
mod client_address;
mod connection;
mod descriptors;
mod networks;
pub mod reply;
mod slots;
mod threads;

pub use client::Client;
pub use client_address::{ClientAddress, Ipv6Site};
pub use connection::Routes;
pub use descriptors::raise as raise_descriptors;
pub use networks::Networks;
pub use threads::Threads;

use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::log_field::logged;
use connection::Connection;
use slots::ConnectionSlots;

/// The largest head of a request, and the answers to pipelined requests that a connection keeps for a client
/// that does not read.
const BUFFER_BYTES: usize = 16 * 1024;
/// What the kernel keeps for such a client. By default this grows to megabytes for each connection.
const SEND_BUFFER_BYTES: usize = 128 * 1024;
/// The pause after `accept` has failed, for example because file descriptors ran out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The response to a connection beyond the limit.
const NO_SLOT: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Connection limits and timeouts.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Proxies, which connect for many clients from one address.
    pub proxies: Networks,
    /// Timeout for the head of a request, and for the next request on a connection.
    pub head_wait_max: Duration,
    /// Timeout for a client that does not read the data sent to it.
    pub unread_max: Duration,
    /// How long idle connections may still begin a request after the server is asked to stop, so that
    /// requests in flight are answered.
    pub shutdown_grace: Duration,
}

impl ConnectionLimits {
    /// The limits of a server behind these proxies, if any.
    pub fn with_proxies(proxies: Networks) -> Self {
        let timeout = Duration::from_secs(30);
        let shutdown_grace = Duration::from_millis(250);
        Self { proxies, head_wait_max: timeout, unread_max: timeout, shutdown_grace }
    }
}

/// Serves `routes` on `listener` until `stopping` is cancelled, and returns when every request that has begun
/// is answered. Each connection belongs to one of the `threads`, as do the tasks that its requests start,
/// such as a database connection.
pub async fn serve(
    listener: TcpListener,
    routes: impl Routes,
    limits: ConnectionLimits,
    stopping: CancellationToken,
    threads: &Threads,
) {
    let slots = ConnectionSlots::new(descriptors::connections_max(), limits.proxies);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_wait_max).max_buf_size(BUFFER_BYTES);
    // Only an improvement. Connections inherit it.
    let _ = SockRef::from(&listener).set_send_buffer_size(SEND_BUFFER_BYTES);
    let (graceful, closing) = (GracefulShutdown::new(), CancellationToken::new());
    let mut is_failing = false;
    loop {
        let accepted = tokio::select! {
            biased;
            () = stopping.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                is_failing = false;
                let Some(slot) = slots.take(peer.ip()) else {
                    // The send buffer of a new connection has room for it; a client that has disconnected
                    // needs no response.
                    let _ = SockRef::from(&stream).send(NO_SLOT);
                    continue;
                };
                let Ok(stream) = prepare(stream, limits.unread_max) else { continue };
                let connection = Connection {
                    stream,
                    peer,
                    http: http.clone(),
                    routes: routes.clone(),
                    stopping: stopping.clone(),
                    closing: closing.clone(),
                    watcher: graceful.watcher(),
                    slot,
                };
                threads.spawn_on_next(connection.serve());
            }
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                if !is_failing {
                    tracing::error!(error = logged(&error), "can't accept connections");
                }
                is_failing = true;
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    // Ends early once there are no connections.
    let _ = tokio::time::timeout(limits.shutdown_grace, slots.all_free()).await;
    closing.cancel();
    graceful.shutdown().await;
}

/// Detaches a connection from this thread's event loop, so that the thread that serves it can register it.
fn prepare(stream: TcpStream, unread_max: Duration) -> Result<std::net::TcpStream, std::io::Error> {
    // Both options are only improvements: a connection without them works.
    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(unread_max));
    let _ = stream.set_nodelay(true);
    stream.into_std()
}

/// Whether the error concerns only the connection to be accepted, which has ended already.
fn concerns_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
