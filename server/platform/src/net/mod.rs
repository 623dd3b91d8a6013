//! Accepts and serves connections: no more than the file descriptors allow, and none that its client only holds, so that
//! idle and slow clients cannot starve others (contract, section 9).

mod client_address;
mod connection;
mod descriptors;
mod networks;
pub mod reply;
mod slots;
mod threads;

pub use client_address::ClientAddress;
pub use descriptors::raise as raise_descriptors;
pub use networks::{Network, Networks};
pub use threads::Threads;

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use connection::Connection;
use slots::ConnectionSlots;

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
    /// The longest time that the head of a request may take to arrive, and that a connection may wait for the next one.
    pub head_wait_max: Duration,
    /// The longest time that a client may leave unread what was sent to it.
    pub unread_max: Duration,
    /// How long an idle connection may still begin a request after the server is told to stop: requests that are on their
    /// way by then are answered.
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

/// Serves `routes` on `listener` until `stopping` is cancelled, and returns when every request that has begun is answered.
/// Each connection belongs to one of the `threads`, and so does what its requests start, such as a connection to the
/// database.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: ConnectionLimits,
    stopping: CancellationToken,
    threads: &Threads,
) {
    let slots = ConnectionSlots::new(descriptors::connections_max(), limits.proxies);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_wait_max);
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
                    // The send buffer of a new connection has room for it; a client that is gone needs no response.
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
                    tracing::error!(error = &error as &dyn std::error::Error, "can't accept connections");
                }
                is_failing = true;
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    // Without connections there is nothing to wait for.
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
