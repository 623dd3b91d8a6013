//! Many listeners to one item: the delay until the last of them has received a bid, and the memory of the
//! server meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::load::{self, LoadError};
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

/// Bids received by all listeners together.
#[derive(Default)]
struct Received {
    count: AtomicUsize,
    /// Every listener has received every bid.
    all: Notify,
}

/// Opens the streams, places bids, and closes the streams.
pub async fn measure(server: &Server) -> Result<Listening, LoadError> {
    let filled = &server.target.filled;
    let received = Arc::new(Received::default());
    let path = format!("/api{}/events", filled.items[0]);
    let opening = futures::stream::iter(0..LISTENERS).map(|n| {
        let mut request = String::new();
        load::get(&mut request, &path, &filled.tokens[n % filled.tokens.len()]);
        open(server, request)
    });
    let streams: Vec<TcpStream> = opening.buffer_unordered(CONCURRENT_OPENS).try_collect().await?;
    let mut listeners: JoinSet<()> =
        streams.into_iter().map(|stream| listen(stream, Arc::clone(&received))).collect();

    let mut bidder = TcpStream::connect(server.target.address).await?;
    bidder.set_nodelay(true)?;
    let mut delays = Vec::new();
    for _ in 0..BIDS {
        tokio::time::sleep(PAUSE).await;
        delays.push(bid(server, &mut bidder, &received).await?);
    }
    delays.sort_unstable();
    let delay = delays[(delays.len() * 99).div_ceil(100) - 1];
    let memory_bytes = server.processes.memory_bytes()?;
    listeners.shutdown().await;
    Ok(Listening { delay, memory_bytes })
}

/// Places a bid. Returns the time until every listener has received it.
async fn bid(server: &Server, bidder: &mut TcpStream, received: &Received) -> Result<Duration, LoadError> {
    let filled = &server.target.filled;
    let (mut request, mut answer) = (String::new(), Vec::new());
    let body = format!(r#"{{"amount":{}}}"#, server.amounts.next(0));
    load::post(&mut request, &filled.bid_path(0), &filled.tokens[0], &body);
    let sent = Instant::now();
    let answered = async {
        bidder.write_all(request.as_bytes()).await?;
        match load::read(bidder, &mut answer).await? {
            201 => Ok(()),
            status => Err(LoadError::refused(status, &answer)),
        }
    };
    let delivered = async {
        let all = tokio::time::timeout(WAIT_MAX, received.all.notified()).await;
        all.map(|()| sent.elapsed()).map_err(|_| LoadError::NotDelivered)
    };
    Ok(futures::try_join!(answered, delivered)?.1)
}

/// Requests the stream and waits for its first event.
async fn open(server: &Server, request: String) -> Result<TcpStream, LoadError> {
    let mut stream = TcpStream::connect(server.target.address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while !answer.windows(EVENT.len()).any(|window| window == EVENT) {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(LoadError::InvalidHttp);
        }
    }
    if answer.starts_with(b"HTTP/1.1 200") { Ok(stream) } else { Err(LoadError::InvalidHttp) }
}

/// The start of an event, and of the event of a bid.
const EVENT: &[u8] = b"event: ";
const BID: &[u8] = b"event: bid\n";

/// Counts bids until the stream ends.
async fn listen(mut stream: TcpStream, received: Arc<Received>) {
    let mut text = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut text).await {
        let bids = text.windows(BID.len()).filter(|window| *window == BID).count();
        if bids == 0 {
            continue;
        }
        text.clear();
        if (received.count.fetch_add(bids, Ordering::Relaxed) + bids).is_multiple_of(LISTENERS) {
            received.all.notify_one();
        }
    }
}
