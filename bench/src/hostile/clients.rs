//! Hostile clients, on a thread of their own: what they do is not to delay the bidders within this process.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, Interest};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::load::{self, MeasureError};
use crate::target::Server;

/// Before a connection that the server has closed is opened again.
const PAUSE: Duration = Duration::from_millis(10);
/// The pause between the parts of a body that hardly arrives.
const DRIP: Duration = Duration::from_secs(2);
/// The status of what a client may not do.
const FORBIDDEN: u16 = 403;
/// How long the clients may need until all of them attack.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Clients that attack. Dropping them ends the attack.
pub struct Clients {
    count: usize,
    progress: Arc<Progress>,
    stopping: CancellationToken,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

#[derive(Default)]
struct Progress {
    /// Clients that have attacked at least once.
    attacking: AtomicUsize,
    /// Answers that say that the client may not do this.
    forbidden: AtomicUsize,
    changed: Notify,
}

/// What each client does.
#[derive(Clone)]
pub enum Requests {
    /// Sends the next request of the nth client as soon as the one before is answered.
    Each(Arc<NextRequest>),
    /// Sends the requests of the nth client once, and never reads.
    Unread(Arc<NextRequest>),
    /// Begins the request of the nth client, and sends its body a few bytes at a time.
    Dripping(Arc<NextRequest>),
}

type NextRequest = dyn Fn(usize) -> String + Send + Sync;

impl Requests {
    pub fn each(next: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self::Each(Arc::new(next))
    }

    pub fn dripping(beginning: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self::Dripping(Arc::new(beginning))
    }

    pub fn unread(requests: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self::Unread(Arc::new(requests))
    }
}

/// The address of the nth client.
type AddressOf = fn(usize) -> IpAddr;

/// Addresses of clients that are elsewhere than other users.
const ELSEWHERE: u8 = 8;

impl Clients {
    /// Clients at the address of other users.
    pub fn start(server: &Server, count: usize, requests: Requests) -> Result<Self, MeasureError> {
        Self::start_at(server, count, |_| Ipv4Addr::LOCALHOST.into(), requests)
    }

    /// Clients at eight other addresses.
    pub fn start_elsewhere(server: &Server, count: usize, requests: Requests) -> Result<Self, MeasureError> {
        let address = |n: usize| {
            let n = u8::try_from(n % usize::from(ELSEWHERE)).unwrap_or(0);
            IpAddr::from(Ipv4Addr::new(127, 0, 0, 2 + n))
        };
        Self::start_at(server, count, address, requests)
    }

    fn start_at(
        server: &Server,
        count: usize,
        address_of: AddressOf,
        requests: Requests,
    ) -> Result<Self, MeasureError> {
        let (progress, stopping) = (Arc::<Progress>::default(), CancellationToken::new());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (address, shared, stopped) = (server.target.address, Arc::clone(&progress), stopping.clone());
        let thread = std::thread::Builder::new().name("attackers".to_owned()).spawn(move || {
            runtime.block_on(async {
                let mut clients = JoinSet::new();
                for n in 0..count {
                    let route = (address_of(n), address);
                    clients.spawn(attack(route, n, requests.clone(), Arc::clone(&shared)));
                }
                stopped.cancelled().await;
            });
            Ok(())
        })?;
        Ok(Self { count, progress, stopping, thread: Some(thread) })
    }

    /// Waits until every client attacks.
    pub async fn attacking(&self) -> Result<(), MeasureError> {
        let all = async {
            while self.progress.attacking.load(Ordering::Relaxed) < self.count {
                self.progress.changed.notified().await;
            }
        };
        tokio::time::timeout(WAIT_MAX, all).await.map_err(|_| MeasureError::NotDelivered)
    }

    /// Ends the attack. Fails if the clients were not allowed what they attacked with: then nothing was
    /// attacked.
    pub async fn stop(mut self) -> Result<(), MeasureError> {
        self.stopping.cancel();
        let Some(thread) = self.thread.take() else { return Ok(()) };
        let joined = tokio::task::spawn_blocking(move || thread.join()).await;
        joined.map_err(|_| MeasureError::Panicked)?.map_err(|_| MeasureError::Panicked)??;
        match self.progress.forbidden.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(MeasureError::Forbidden),
        }
    }
}

impl Drop for Clients {
    fn drop(&mut self) {
        self.stopping.cancel();
    }
}

/// Attacks until it is dropped.
async fn attack(route: Route, n: usize, requests: Requests, progress: Arc<Progress>) {
    let mut is_first = true;
    let mut answered = |status| {
        if status == Some(FORBIDDEN) {
            progress.forbidden.fetch_add(1, Ordering::Relaxed);
        }
        if std::mem::take(&mut is_first) {
            progress.attacking.fetch_add(1, Ordering::Relaxed);
            progress.changed.notify_one();
        }
    };
    loop {
        // The server may refuse a connection, or end it.
        let _: Result<(), MeasureError> = match &requests {
            Requests::Each(next) => request_each(route, n, &**next, &mut answered).await,
            Requests::Dripping(beginning) => drip(route, &beginning(n), &mut answered).await,
            Requests::Unread(requests) => never_read(route, &requests(n), &mut answered).await,
        };
        tokio::time::sleep(PAUSE).await;
    }
}

/// From the address of a client to that of the server.
type Route = (IpAddr, SocketAddr);

async fn connect((from, to): Route) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(to).await
}

async fn request_each(
    route: Route,
    n: usize,
    next: &NextRequest,
    answered: &mut (impl FnMut(Option<u16>) + Send),
) -> Result<(), MeasureError> {
    let mut stream = connect(route).await?;
    let mut answer = Vec::new();
    loop {
        stream.write_all(next(n).as_bytes()).await?;
        answered(Some(load::read(&mut stream, &mut answer).await?));
    }
}

/// Sends a few bytes from time to time, until the server answers or closes the connection.
async fn drip(
    route: Route,
    beginning: &str,
    answered: &mut (impl FnMut(Option<u16>) + Send),
) -> Result<(), MeasureError> {
    let mut stream = connect(route).await?;
    stream.write_all(beginning.as_bytes()).await?;
    answered(None);
    while tokio::time::timeout(DRIP, stream.readable()).await.is_err() {
        stream.write_all(b"0123456789").await?;
    }
    Ok(())
}

/// Waits until the server closes the connection.
async fn never_read(
    (_, address): Route,
    requests: &str,
    answered: &mut (impl FnMut(Option<u16>) + Send),
) -> Result<(), MeasureError> {
    let socket = TcpSocket::new_v4()?;
    // The smallest receive buffer that the system permits.
    socket.set_recv_buffer_size(1)?;
    let mut stream = socket.connect(address).await?;
    stream.write_all(requests.as_bytes()).await?;
    stream.readable().await?;
    answered(None);
    while !stream.ready(Interest::ERROR).await?.is_error() {}
    Ok(())
}
