//! Many streams of events: the delay until the last of them has received one. For the listeners of one item
//! also the memory of the server meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::load::{self, MeasureError};
use crate::target::Server;

pub const LISTENERS: usize = 5_000;
/// Connections that are opened at the same time.
const CONCURRENT_OPENS: usize = 64;
const BIDS: usize = 50;
/// Pause before each bid, so that no delivery of the previous one is still running.
const PAUSE: Duration = Duration::from_millis(50);
const WAIT_MAX: Duration = Duration::from_secs(20);

pub struct Listening {
    /// 99th percentile of the time from sending a bid, so with its commit, until the last listener has
    /// received it.
    pub delay: Duration,
    pub memory_bytes: f64,
}

/// Streams that are open, and the events of one kind that they have received.
pub struct Streams {
    received: Arc<Received>,
    /// Ends with this.
    _listeners: JoinSet<()>,
}

/// Events that all streams have received together.
struct Received {
    streams: usize,
    count: AtomicUsize,
    /// Every stream has received every event.
    all: Notify,
}

/// Opens the streams, places bids, and closes the streams.
pub async fn measure(server: &Server) -> Result<Listening, MeasureError> {
    let filled = &server.target.filled;
    let path = format!("/api{}/events", filled.items[0]);
    let requests = (0..LISTENERS).map(|n| {
        let mut request = String::new();
        load::get(&mut request, &path, &filled.tokens[n % filled.tokens.len()]);
        request
    });
    let streams = Streams::open(server, requests, BID).await?;
    let mut bidder = TcpStream::connect(server.target.address).await?;
    bidder.set_nodelay(true)?;
    let mut delays = Vec::new();
    for _ in 0..BIDS {
        tokio::time::sleep(PAUSE).await;
        let body = format!(r#"{{"amount":{}}}"#, server.amounts.next(0));
        let mut request = String::new();
        load::post(&mut request, &filled.bid_path(0), &filled.tokens[0], &body);
        delays.push(streams.delay_of(&mut bidder, &request).await?);
    }
    let delay = percentile_99(delays);
    Ok(Listening { delay, memory_bytes: server.processes.memory_bytes()? })
}

pub fn percentile_99(mut delays: Vec<Duration>) -> Duration {
    delays.sort_unstable();
    delays[(delays.len() * 99).div_ceil(100) - 1]
}

impl Streams {
    /// Opens a stream for each request, and waits for its first event. Counts events that begin with `event`
    /// from then on.
    pub async fn open(
        server: &Server,
        requests: impl Iterator<Item = String>,
        event: &'static [u8],
    ) -> Result<Self, MeasureError> {
        let opening = futures::stream::iter(requests).map(|request| open(server, request));
        let streams: Vec<TcpStream> = opening.buffer_unordered(CONCURRENT_OPENS).try_collect().await?;
        let (count, all) = (AtomicUsize::default(), Notify::new());
        let received = Arc::new(Received { streams: streams.len(), count, all });
        let listen = |stream| listen(stream, event, Arc::clone(&received));
        let listeners = streams.into_iter().map(listen).collect();
        Ok(Self { received, _listeners: listeners })
    }

    /// Sends a request that every stream hears of. Returns the time until all have.
    pub async fn delay_of(&self, sender: &mut TcpStream, request: &str) -> Result<Duration, MeasureError> {
        let mut answer = Vec::new();
        let sent = Instant::now();
        let answered = async {
            sender.write_all(request.as_bytes()).await?;
            match load::read(sender, &mut answer).await? {
                200 | 201 => Ok(()),
                status => Err(MeasureError::refused(status, &answer)),
            }
        };
        let delivered = async {
            let all = tokio::time::timeout(WAIT_MAX, self.received.all.notified()).await;
            all.map(|()| sent.elapsed()).map_err(|_| MeasureError::NotDelivered)
        };
        Ok(futures::try_join!(answered, delivered)?.1)
    }
}

/// Requests the stream and waits for its first event.
async fn open(server: &Server, request: String) -> Result<TcpStream, MeasureError> {
    let mut stream = TcpStream::connect(server.target.address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while !answer.windows(EVENT.len()).any(|window| window == EVENT) {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(MeasureError::InvalidHttp);
        }
    }
    if answer.starts_with(b"HTTP/1.1 200") { Ok(stream) } else { Err(MeasureError::InvalidHttp) }
}

/// The start of an event, and of the event of a bid.
const EVENT: &[u8] = b"event: ";
pub const BID: &[u8] = b"event: bid\n";

/// Counts events until the stream ends.
async fn listen(mut stream: TcpStream, event: &[u8], received: Arc<Received>) {
    let mut text = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut text).await {
        let events = text.windows(event.len()).filter(|window| *window == event).count();
        if events == 0 {
            continue;
        }
        text.clear();
        if (received.count.fetch_add(events, Ordering::Relaxed) + events).is_multiple_of(received.streams) {
            received.all.notify_one();
        }
    }
}
