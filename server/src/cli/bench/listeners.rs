//! A hall that listens to one item: how long it takes until the last of them was told of a bid, and what memory
//! the server holds meanwhile.

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
/// Connections that are made at one time.
const AT_ONCE: usize = 64;
const BIDS: usize = 50;
/// Between a bid and the next, so that each finds the hall quiet.
const PAUSE: Duration = Duration::from_millis(50);
const WAIT_MAX: Duration = Duration::from_secs(20);

/// What came of it.
pub struct Heard {
    /// From sending a bid, so with its commit, until the last listener had it: the slowest of a hundred, at most.
    pub last_told: Duration,
    pub memory_bytes: f64,
}

/// How many listeners were told of how many bids.
#[derive(Default)]
struct Told {
    count: AtomicUsize,
    all: Notify,
}

/// Fills the hall, bids, and empties it.
pub async fn listen(server: &Server) -> Result<Heard, LoadError> {
    let stage = &server.stage;
    let told = Arc::new(Told::default());
    let path = stage.bid_paths[0].replace("/bids", "/events");
    let opening = futures::stream::iter(0..LISTENERS).map(|n| {
        let mut request = String::new();
        load::get(&mut request, &path, &stage.tokens[n % stage.tokens.len()]);
        open(server, request)
    });
    let streams: Vec<TcpStream> = opening.buffer_unordered(AT_ONCE).try_collect().await?;
    let mut hall: JoinSet<()> = streams.into_iter().map(|stream| hear(stream, Arc::clone(&told))).collect();

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
        let all_told = async {
            let told = tokio::time::timeout(WAIT_MAX, told.all.notified()).await;
            told.map(|()| sent.elapsed()).map_err(|_| LoadError::Untold)
        };
        times.push(futures::try_join!(answered, all_told)?.1);
    }
    times.sort_unstable();
    let last_told = times[(times.len() * 99).div_ceil(100) - 1];
    let memory_bytes = server.processes.memory_bytes()?;
    hall.shutdown().await;
    Ok(Heard { last_told, memory_bytes })
}

/// Asks for the stream, and waits for what comes first.
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

/// How an event begins, and how one of a bid does.
const EVENT: &[u8] = b"event: ";
const BID: &[u8] = b"event: bid\n";

/// Listens until the stream ends.
async fn hear(mut stream: TcpStream, told: Arc<Told>) {
    let mut text = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut text).await {
        let bids = text.windows(BID.len()).filter(|window| *window == BID).count();
        if bids == 0 {
            continue;
        }
        text.clear();
        if (told.count.fetch_add(bids, Ordering::Relaxed) + bids).is_multiple_of(LISTENERS) {
            told.all.notify_one();
        }
    }
}
