//! One connection, from its first request to its last.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::Watcher;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::Service;

use super::slots::ConnectionSlot;
use crate::log_field::logged;

/// What answers the requests of connections: a router, or a service around one.
pub trait Routes:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

impl<S> Routes for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}

pub(super) struct Connection<S> {
    pub stream: std::net::TcpStream,
    pub peer: SocketAddr,
    pub http: http1::Builder,
    pub routes: S,
    /// Cancelled when the server is asked to stop: later responses announce that the connection closes.
    pub stopping: CancellationToken,
    /// Cancelled when the grace period ends.
    pub closing: CancellationToken,
    /// Lets the connection finish its request after the grace period.
    pub watcher: Watcher,
    pub slot: ConnectionSlot,
}

impl<S: Routes> Connection<S> {
    pub async fn serve(self) {
        let Self { stream, peer, http, routes, stopping, closing, watcher, slot: _slot } = self;
        let stream = match TcpStream::from_std(stream) {
            Ok(stream) => stream,
            Err(error) => {
                tracing::error!(error = logged(&error), "can't register a connection");
                return;
            }
        };
        let has_received = AtomicBool::new(false);
        let service = service_fn(|request: Request<Incoming>| {
            has_received.store(true, Ordering::Relaxed);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let response = routes.clone().call(request);
            let stopping = &stopping;
            async move {
                let Ok(mut response) = response.await;
                if stopping.is_cancelled() {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let served = watcher.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            biased;
            served = served => {
                if let Err(error) = served {
                    tracing::debug!(error = logged(&error), "a connection was interrupted");
                }
            }
            () = ended_without_request(&closing, &has_received) => {}
        }
    }
}

/// Returns after the grace period if the connection has never received the head of a request: hyper's
/// graceful shutdown would wait for the rest of a first head. Otherwise does not return.
async fn ended_without_request(closing: &CancellationToken, has_received: &AtomicBool) {
    closing.cancelled().await;
    if has_received.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}
