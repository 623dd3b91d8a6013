//! Processor time and size of the pages of large auctions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::load::{self, MeasureError};
use crate::progress;
use crate::table::{Figure, Unit};
use crate::target::Server;

/// Bids on one item of the smallest auction.
const BIDS: usize = 50_000;
/// Connections that place bids at the same time.
const BIDDERS: usize = 64;
/// Requests for one measurement, after some that are not measured.
const REQUESTS: usize = 100;
const WARM_UP: usize = 10;
/// Milliseconds and kilobytes of a page.
const TIME_LIMIT: f64 = 100.0;
const SIZE_LIMIT: f64 = 150.0;

/// A page, with the names of its rows.
struct Measured {
    time: &'static str,
    size: &'static str,
    path: String,
}

/// Fills the auctions with bids and outcomes, and measures each page once in each round.
pub async fn measure(server: &Server, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let filled = &server.target.filled;
    let [small, large, ended] = &*filled.auctions else { return Err(MeasureError::NotFilled) };
    progress("bids");
    place(server, vec![0; BIDS]).await?;
    let items = filled.items.len();
    let outcomes = filled.items.iter().filter(|path| path.starts_with(ended.as_str())).count();
    place(server, (items - outcomes..items).collect()).await?;
    progress("outcomes");
    close(server, ended).await?;

    let page = |time, size, path: String| Measured { time, size, path };
    let bid_on = &filled.items[0];
    let pages = [
        page("auction with 50 items, time", "auction with 50 items, size", small.clone()),
        page("auction with 10,000 items, time", "auction with 10,000 items, size", large.clone()),
        page(
            "search in 10,000 items, time",
            "search in 10,000 items, size",
            format!("{large}?q=item+99&sort=price"),
        ),
        page("item with 50,000 bids, time", "item with 50,000 bids, size", bid_on.clone()),
        page("bids of that item, time", "bids of that item, size", format!("{bid_on}/bids")),
        page(
            "results with 5,000 outcomes, time",
            "results with 5,000 outcomes, size",
            format!("{ended}/results"),
        ),
    ];
    // Both pages have 50 rows, so that the ratio is what the other items cost.
    let mut growth = Figure::cost("auction with 10,000 items ÷ with 50, time", Unit::Ratio, 1.5, 1.1);
    let mut times: Vec<Figure> = pages
        .iter()
        .map(|page| Figure::cost(page.time, Unit::PreciseMilliseconds, TIME_LIMIT, TIME_LIMIT / 10.0))
        .collect();
    let mut sizes: Vec<Figure> = pages
        .iter()
        .map(|page| Figure::cost(page.size, Unit::Kilobytes, SIZE_LIMIT, SIZE_LIMIT / 2.0))
        .collect();
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let mut milliseconds = Vec::with_capacity(pages.len());
        for ((page, time), size) in pages.iter().zip(&mut times).zip(&mut sizes) {
            let (spent, bytes) = request(server, &page.path).await?;
            time.add(spent);
            size.add(bytes as f64 / 1e3);
            milliseconds.push(spent);
        }
        growth.add(milliseconds[1] / milliseconds[0]);
    }
    Ok(std::iter::once(growth).chain(times).chain(sizes).collect())
}

/// Places one bid on each of these items, several at a time.
async fn place(server: &Server, items: Vec<usize>) -> Result<(), MeasureError> {
    let (items, next) = (Arc::new(items), Arc::new(AtomicUsize::new(0)));
    let mut bidders = JoinSet::new();
    for bidder in 0..BIDDERS {
        let (items, next) = (Arc::clone(&items), Arc::clone(&next));
        let (address, amounts) = (server.target.address, server.amounts.clone());
        let token = server.target.filled.tokens[bidder].clone();
        let paths: Arc<[String]> = Arc::clone(&server.target.filled.items);
        bidders.spawn(async move {
            let mut stream = connect(address).await?;
            let (mut text, mut answer) = (String::new(), Vec::new());
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                // An amount that another bidder has overtaken is refused.
                loop {
                    text.clear();
                    let body = format!(r#"{{"amount":{}}}"#, amounts.next(*item));
                    load::post(&mut text, &format!("/api{}/bids", paths[*item]), &token, &body);
                    stream.write_all(text.as_bytes()).await?;
                    match load::read(&mut stream, &mut answer).await? {
                        201 => break,
                        422 => {}
                        status => return Err(MeasureError::refused(status, &answer)),
                    }
                }
            }
            Ok(())
        });
    }
    while let Some(ended) = bidders.join_next().await {
        ended.map_err(|_| MeasureError::Panicked)??;
    }
    Ok(())
}

async fn close(server: &Server, auction: &str) -> Result<(), MeasureError> {
    let mut stream = connect(server.target.address).await?;
    let (mut text, mut answer) = (String::new(), Vec::new());
    load::post(&mut text, &format!("/api{auction}/close"), &server.target.filled.owner, "{}");
    stream.write_all(text.as_bytes()).await?;
    match load::read(&mut stream, &mut answer).await? {
        200 => Ok(()),
        status => Err(MeasureError::refused(status, &answer)),
    }
}

/// The processor time for one request of the page, in milliseconds, and the bytes of the answer.
async fn request(server: &Server, path: &str) -> Result<(f64, usize), MeasureError> {
    let mut stream = connect(server.target.address).await?;
    let (mut text, mut answer) = (String::new(), Vec::new());
    load::get(&mut text, path, &server.target.filled.owner);
    let mut before = server.processes.cpu_seconds()?;
    for n in 0..WARM_UP + REQUESTS {
        if n == WARM_UP {
            before = server.processes.cpu_seconds()?;
        }
        stream.write_all(text.as_bytes()).await?;
        match load::read(&mut stream, &mut answer).await? {
            200 => {}
            status => return Err(MeasureError::refused(status, &answer)),
        }
    }
    let spent = server.processes.cpu_seconds()? - before;
    Ok((spent * 1e3 / REQUESTS as f64, answer.len()))
}

async fn connect(address: std::net::SocketAddr) -> Result<TcpStream, MeasureError> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
