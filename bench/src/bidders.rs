//! Bidders at a steady pace, and how long they wait.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::load::{self, MeasureError};
use crate::target::Server;

/// Each bids on an item of its own, so that every bid is accepted.
const BIDDERS: usize = 32;
/// Below the rate limit of one user.
const PAUSE: Duration = Duration::from_millis(125);
/// Time before the measurement starts.
pub const WARM_UP: Duration = Duration::from_millis(300);
pub const LENGTH: Duration = Duration::from_secs(3);

/// The 95th percentile of the time for a bid on the first items, in seconds.
pub async fn measure(server: &Server) -> Result<f64, MeasureError> {
    Ok(wait_on(server, 0, LENGTH).await?.p95)
}

/// How long bids have waited, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Waited {
    /// The 95th percentile.
    pub p95: f64,
    pub longest: f64,
}

/// The time for a bid on the items from the one at the place `first` on.
pub async fn wait_on(server: &Server, first: usize, length: Duration) -> Result<Waited, MeasureError> {
    let begun = Instant::now() + WARM_UP;
    let mut bidders = JoinSet::new();
    for n in 0..BIDDERS {
        let (address, amounts) = (server.target.address, server.amounts.clone());
        let item = first + n;
        let (path, token) = (server.target.filled.bid_path(item), server.target.filled.tokens[n].clone());
        bidders.spawn(async move {
            let mut stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let (mut request, mut answer, mut waits) = (String::new(), Vec::new(), Vec::new());
            // Spread over the pause.
            let mut at = tokio::time::Instant::now() + PAUSE * u32::try_from(n).unwrap_or(0) / 32;
            while begun.elapsed() < length {
                tokio::time::sleep_until(at).await;
                request.clear();
                let body = format!(r#"{{"amount":{}}}"#, amounts.next(item));
                load::post(&mut request, &path, &token, &body);
                let sent = Instant::now();
                stream.write_all(request.as_bytes()).await?;
                match load::read(&mut stream, &mut answer).await? {
                    201 => {}
                    status => return Err(MeasureError::refused(status, &answer)),
                }
                if sent >= begun {
                    waits.push(sent.elapsed().as_secs_f64());
                }
                // A bidder that had to wait does not catch up.
                at = tokio::time::Instant::now().max(at + PAUSE);
            }
            Ok(waits)
        });
    }
    let waits = sorted(bidders).await?;
    let longest = waits.last().copied().ok_or(MeasureError::NotDelivered)?;
    Ok(Waited { p95: p95(&waits)?, longest })
}

/// The 95th percentile of what clients have waited.
pub async fn percentile_95(clients: JoinSet<Result<Vec<f64>, MeasureError>>) -> Result<f64, MeasureError> {
    p95(&sorted(clients).await?)
}

async fn sorted(mut clients: JoinSet<Result<Vec<f64>, MeasureError>>) -> Result<Vec<f64>, MeasureError> {
    let mut waits = Vec::new();
    while let Some(ended) = clients.join_next().await {
        waits.extend(ended.map_err(|_| MeasureError::Panicked)??);
    }
    waits.sort_by(f64::total_cmp);
    Ok(waits)
}

fn p95(sorted: &[f64]) -> Result<f64, MeasureError> {
    let rank = (sorted.len() * 95).div_ceil(100).saturating_sub(1);
    sorted.get(rank).copied().ok_or(MeasureError::NotDelivered)
}
