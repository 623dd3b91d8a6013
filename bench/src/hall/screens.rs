//! Screens of one auction against listeners of another: each hears of the same number of bids.

use std::time::Duration;

use tokio::net::TcpStream;

use crate::client::{BenchClient, text};
use crate::listeners::{BID, Streams, percentile_99};
use crate::load::{self, MeasureError};
use crate::target::Server;

/// Screens and listeners that are open at the same time.
pub const STREAMS: usize = 1_000;
/// Bids of one measurement of them.
const BIDS: usize = 20;
/// Number of screens that an auction may have.
const SCREENS_MAX: usize = 100;
/// Changes of which the delay is measured.
const CHANGES: u64 = 100;

/// The event of a change at a screen.
const CHANGE: &[u8] = b"event: change\n";

/// Listeners of the first auction, screens of the second, and a bidder.
pub struct Screens {
    listeners: Streams,
    screens: Streams,
    bidder: TcpStream,
}

impl Screens {
    pub async fn open(server: &Server) -> Result<Self, MeasureError> {
        let filled = &server.target.filled;
        let path = format!("/api{}/events", filled.auctions[0]);
        let listeners = (0..STREAMS).map(|n| request(&path, &filled.tokens[n % filled.tokens.len()]));
        let bidder = TcpStream::connect(server.target.address).await?;
        bidder.set_nodelay(true)?;
        Ok(Self {
            listeners: Streams::open(server, listeners, BID).await?,
            screens: open_screens(server, STREAMS).await?,
            bidder,
        })
    }

    /// The server's processor time for a bid and its delivery to all listeners, in seconds.
    pub async fn listeners_cost(&mut self, server: &Server) -> Result<f64, MeasureError> {
        cost(server, &self.listeners, &mut self.bidder, 0).await
    }

    /// The server's processor time for a bid and the news of it at all screens, in seconds.
    pub async fn cost(&mut self, server: &Server) -> Result<f64, MeasureError> {
        cost(server, &self.screens, &mut self.bidder, 1).await
    }
}

async fn cost(
    server: &Server,
    streams: &Streams,
    bidder: &mut TcpStream,
    item: usize,
) -> Result<f64, MeasureError> {
    let before = server.processes.cpu_seconds()?;
    for _ in 0..BIDS {
        streams.delay_of(bidder, &bid(server, item)).await?;
    }
    Ok((server.processes.cpu_seconds()? - before) / BIDS as f64)
}

/// The 99th percentile of the time from a bid or a change of the block until the last screen has heard of it.
/// They come at different times after the change before, also while screens rest.
pub async fn delay(server: &Server) -> Result<Duration, MeasureError> {
    let (filled, address) = (&server.target.filled, server.target.address);
    let screens = open_screens(server, SCREENS_MAX).await?;
    let mut sender = TcpStream::connect(address).await?;
    sender.set_nodelay(true)?;
    let item = filled.items[1].rsplit('/').next().unwrap_or_default();
    let mut delays = Vec::new();
    for n in 0..CHANGES {
        tokio::time::sleep(Duration::from_millis(n * 37 % 300)).await;
        let change = match n % 4 {
            0 => block(server, &format!(r#""{item}""#)),
            2 => block(server, "null"),
            _ => bid(server, 1),
        };
        delays.push(screens.delay_of(&mut sender, &change).await?);
    }
    Ok(percentile_99(delays))
}

/// Screens of the second auction, with a new secret.
async fn open_screens(server: &Server, count: usize) -> Result<Streams, MeasureError> {
    let filled = &server.target.filled;
    let mut owner = BenchClient::open(server.target.address, &filled.owner).await?;
    let made = owner.post(&format!("/api{}/screen", filled.auctions[1]), "{}").await?;
    let path = format!("/screen/{}/events", text(&made, "screenToken")?);
    Streams::open(server, (0..count).map(|_| request(&path, "")), CHANGE).await
}

fn request(path: &str, token: &str) -> String {
    let mut request = String::new();
    load::get(&mut request, path, token);
    request
}

fn bid(server: &Server, item: usize) -> String {
    let filled = &server.target.filled;
    let body = format!(r#"{{"amount":{}}}"#, server.amounts.next(item));
    let mut request = String::new();
    load::post(&mut request, &filled.bid_path(item), &filled.tokens[0], &body);
    request
}

/// Puts an item on the block of the second auction, or none.
fn block(server: &Server, item: &str) -> String {
    let filled = &server.target.filled;
    let (path, body) = (format!("/api{}/block", filled.auctions[1]), format!(r#"{{"itemId":{item}}}"#));
    let mut request = String::new();
    load::send(&mut request, "PUT", &path, &filled.owner, &body);
    request
}
