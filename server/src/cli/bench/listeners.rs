//! Many listeners of one item: the time until the last of them has received a bid, and the memory that the server
//! holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::load::{self, LoadError};
use super::server::Server;

pub const LISTENERS: usize = 5_000;
/// Connections that are opened at the same time.
const AT_ONCE: usize = 64;
const BIDS: usize = 50;
/// The pause between two bids, so that each is measured alone.
const PAUSE: Duration = Duration::from_millis(50);
const WAIT_MAX: Duration = Duration::from_secs(20);

/// The measurements.
pub struct Delivery {
    /// From sending a bid, its commit included, until the last listener has received it: the 99th percentile.
    pub last_delivered: Duration,
    pub memory_bytes: f64,
}

/// The number of received bids of all listeners.
#[derive(Default)]
struct Received {
    count: AtomicUsize,
    all: Notify,
}

/// Connects the listeners, places bids, and disconnects the listeners.
pub async fn listen(server: &Server) -> Result<Delivery, LoadError> {
    let stage = &server.stage;
    let received = Arc::new(Received::default());
    let path = stage.bid_paths[0].replace("/bids", "/events");
    let opening = futures::stream::iter(0..LISTENERS).map(|n| {
        let mut request = String::new();
        load::get(&mut request, &path, &stage.tokens[n % stage.tokens.len()]);
        open(server, request)
    });
    let streams: Vec<TcpStream> = opening.buffer_unordered(AT_ONCE).try_collect().await?;
    let mut listeners: JoinSet<()> =
        streams.into_iter().map(|stream| receive(stream, Arc::clone(&received))).collect();

    let mut bidder = TcpStream::connect(server.address).await?;
    bidder.set_nodelay(true)?;
    let (mut request, mut answer, mut times) = (String::new(), Vec::new(), Vec::new());
    for _ in 0..BIDS {
        tokio::time::sleep(PAUSE).await;
        request.clear();
        let body = format!(r#"{{"amount":{}}}"#, server.amounts.next(0));
        load::post(&mut request, &stage.bid_paths[0], &stage.tokens[0], &body);
        let sent = Instant::now();
        let answered = async {
            bidder.write_all(request.as_bytes()).await?;
            match load::read(&mut bidder, &mut answer).await? {
                201 => Ok(()),
                status => Err(LoadError::Refused { status, text: String::from_utf8_lossy(&answer).into() }),
            }
        };
        let all_received = async {
            let received = tokio::time::timeout(WAIT_MAX, received.all.notified()).await;
            received.map(|()| sent.elapsed()).map_err(|_| LoadError::NotDelivered)
        };
        times.push(futures::try_join!(answered, all_received)?.1);
    }
    times.sort_unstable();
    let last_delivered = times[(times.len() * 99).div_ceil(100) - 1];
    let memory_bytes = server.processes.memory_bytes()?;
    listeners.shutdown().await;
    Ok(Delivery { last_delivered, memory_bytes })
}

/// Opens the stream and waits for the first event.
async fn open(server: &Server, request: String) -> Result<TcpStream, LoadError> {
    let mut stream = TcpStream::connect(server.address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut begun = Vec::new();
    while !begun.windows(EVENT.len()).any(|window| window == EVENT) {
        if stream.read_buf(&mut begun).await? == 0 {
            return Err(LoadError::NoHttp);
        }
    }
    if begun.starts_with(b"HTTP/1.1 200") { Ok(stream) } else { Err(LoadError::NoHttp) }
}

/// The beginning of an event, and of an event of a bid.
const EVENT: &[u8] = b"event: ";
const BID: &[u8] = b"event: bid\n";

/// Reads until the stream ends.
async fn receive(mut stream: TcpStream, received: Arc<Received>) {
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
