//! The listening side: connections come in, no more than can be served, and each ends by itself if its client
//! only holds it. So clients that say nothing, or half of something, starve nobody (contract, section 9).

mod client_address;
mod descriptors;
mod networks;
mod places;
pub mod reply;
mod threads;

pub use client_address::ClientAddress;
pub use descriptors::raise as raise_descriptors;
pub use networks::{Network, Networks};
use threads::Inbox;
pub use threads::Threads;

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::Service;

use places::{Place, Places};

/// The pause after an attempt to accept that failed for want of something, such as file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// What a connection hears that finds no place.
const NO_PLACE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Who is let in, and how long they may take.
#[derive(Debug, Clone)]
pub struct Manners {
    /// Proxies, behind which many people come from one address.
    pub proxies: Networks,
    /// How long the head of a request may take to come, and how long a connection may wait for the next one.
    pub head_wait_max: Duration,
    /// How long a client may leave unread what was sent to it.
    pub unread_max: Duration,
    /// How long, once the server is told to stop, a connection that is idle may still begin a request: what is on its
    /// way by then is answered.
    pub farewell: Duration,
}

impl Manners {
    pub fn with(proxies: Networks) -> Self {
        let patience = Duration::from_secs(30);
        Self { proxies, head_wait_max: patience, unread_max: patience, farewell: Duration::from_millis(250) }
    }
}

/// What is served: whatever is asked, it answers.
pub trait Answers: Clone + Send + Sync + 'static {
    fn answer(&self, request: Request) -> impl Future<Output = Response> + Send;
}

impl Answers for Router {
    async fn answer(&self, request: Request) -> Response {
        let Ok(response) = self.clone().call(request).await;
        response
    }
}

/// Serves `site` on `listener` until `stopping` is cancelled, and returns when every request that was begun is
/// answered. The `threads` talk; what a request has begun, such as a connection to the database, lives as they do.
pub async fn serve(
    listener: TcpListener,
    site: impl Answers,
    manners: Manners,
    stopping: CancellationToken,
    threads: &Threads,
) {
    let places = Places::new(descriptors::connections_max(), manners.proxies);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(manners.head_wait_max);
    let mut failing = false;
    loop {
        let accepted = tokio::select! {
            biased;
            () = stopping.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                failing = false;
                match places.take(peer.ip()) {
                    Some(place) => {
                        // It only ends sooner what nobody reads.
                        let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(manners.unread_max));
                        // It only makes it quicker.
                        let _ = stream.set_nodelay(true);
                        // Its thread registers it anew. Where it can't be let go, it is over.
                        let Ok(stream) = stream.into_std() else { continue };
                        let (http, site, stopping) = (http.clone(), site.clone(), stopping.clone());
                        let farewell = manners.farewell;
                        let connection =
                            Connection { stream, peer, http, site, stopping, farewell, _place: place };
                        threads.give(connection.talk());
                    }
                    // A fresh connection takes so few bytes at once; who is gone already misses nothing.
                    None => drop(SockRef::from(&stream).send(NO_PLACE)),
                }
            }
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                if !failing {
                    tracing::error!(error = &error as &dyn std::error::Error, "can't accept connections");
                }
                failing = true;
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    places.all_left().await;
}

struct Connection<S> {
    stream: std::net::TcpStream,
    peer: SocketAddr,
    http: http1::Builder,
    site: S,
    stopping: CancellationToken,
    farewell: Duration,
    _place: Place,
}

impl<S: Answers> Connection<S> {
    /// From the first request to the last.
    async fn talk(self) {
        let Self { stream, peer, http, site, stopping, farewell, _place } = self;
        let stream = match TcpStream::from_std(stream) {
            Ok(stream) => stream,
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "can't talk to a connection");
                return;
            }
        };
        // Whether the head of a request has ever come whole.
        let has_asked = AtomicBool::new(false);
        // Whether the next answer says that it is the last one.
        let is_leaving = AtomicBool::new(false);
        let service = service_fn(|request: Request<Incoming>| {
            has_asked.store(true, Ordering::Relaxed);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            async {
                let mut answer = site.answer(request).await;
                if is_leaving.load(Ordering::Relaxed) {
                    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, std::convert::Infallible>(answer)
            }
        });
        let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
        let ended = tokio::select! {
            biased;
            ended = connection.as_mut() => ended,
            () = stopping.cancelled() => {
                is_leaving.store(true, Ordering::Relaxed);
                match tokio::time::timeout(farewell, connection.as_mut()).await {
                    Ok(ended) => ended,
                    // Later heads hyper does not wait for by itself, but for the rest of a first one it would.
                    Err(_) if !has_asked.load(Ordering::Relaxed) => return,
                    Err(_) => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(error = &error as &dyn std::error::Error, "a connection broke off");
        }
    }
}

/// Errors that concern one connection, which was gone before it was accepted.
fn is_of_the_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
