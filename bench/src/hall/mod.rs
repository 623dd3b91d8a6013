//! What a clerk's hammers cost against bids, and what screens cost against listeners.

mod lots;
mod screens;

use std::time::{Duration, Instant};

use futures::future::try_join_all;
use platform::net::raise_descriptors;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use self::lots::Lots;
use self::screens::{STREAMS, Screens};
use crate::load::{self, Load, MeasureError};
use crate::progress;
use crate::table::{Figure, Unit};
use crate::target::Server;

/// Connections that bid, hammer or request the page of a screen.
const CONNECTIONS: usize = 32;
/// Requests of each of them.
const EACH: usize = 150;

/// Measures hammers between two measurements of bids in each round, each round in a new auction; then screens
/// between two measurements of listeners.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    raise_descriptors();
    let mut rows = [
        Figure::speed("hammers ÷ bids, 32 connections", 0.2, 0.5),
        Figure::plain("processor time for a hammer ÷ for a bid", Unit::Ratio),
        Figure::plain("processor time for a hammer", Unit::Microseconds),
        Figure::plain("processor time for the page of a screen", Unit::Microseconds),
        Figure::cost(
            format!("processor time for a change at {STREAMS} screens ÷ for a bid at as many listeners"),
            Unit::Ratio,
            1.0,
            0.5,
        ),
        Figure::cost("time for a change to the last of 100 screens, p99", Unit::Milliseconds, 250.0, 150.0),
    ];
    for round in 1..=rounds {
        progress(&format!("hammers, round {round} of {rounds}"));
        let lots = Lots::create(server).await?;
        let page = page_of_screen(server, &lots, length).await?;
        let before = lots.bids(server).await?;
        let hammers = lots.hammers(server).await?;
        let after = lots.bids(server).await?;
        let cost_of_bid = (before.processor + after.processor) / 2.0;
        let results = [
            2.0 * hammers.a_second / (before.a_second + after.a_second),
            hammers.processor / cost_of_bid,
            hammers.processor * 1e6,
            page * 1e6,
        ];
        for (row, number) in rows.iter_mut().zip(results) {
            row.add(number);
        }
    }
    let mut screens = Screens::open(server).await?;
    for round in 1..=rounds {
        progress(&format!("screens, round {round} of {rounds}"));
        let before = screens.listeners_cost(server).await?;
        let cost = screens.cost(server).await?;
        let after = screens.listeners_cost(server).await?;
        rows[4].add(2.0 * cost / (before + after));
    }
    drop(screens);
    progress("delay of screens");
    rows[5].add(screens::delay(server).await?.as_secs_f64() * 1e3);
    Ok(rows.into())
}

/// The server's processor time for the page of a screen, in seconds.
async fn page_of_screen(server: &Server, lots: &Lots, length: Duration) -> Result<f64, MeasureError> {
    let screen = lots.screen.clone();
    let load = Load::new(server.target.address, server.processes, length, CONNECTIONS, move |_, request| {
        load::get(request, &screen, "");
    });
    Ok(load.run().await?.cpu_each())
}

/// Requests that were all accepted.
struct Accepted {
    a_second: f64,
    /// The server's processor time for one, in seconds.
    processor: f64,
}

/// Sends [`EACH`] requests on each connection, one after the other. `write` writes the nth of a connection.
async fn send_all(
    server: &Server,
    write: impl Fn(usize, usize, &mut String),
) -> Result<Accepted, MeasureError> {
    let mut streams = Vec::new();
    for _ in 0..CONNECTIONS {
        let stream = TcpStream::connect(server.target.address).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let (begun, processor) = (Instant::now(), server.processes.cpu_seconds()?);
    let write = &write;
    let sending = streams.into_iter().enumerate().map(async |(connection, mut stream)| {
        let (mut request, mut answer) = (String::new(), Vec::new());
        for n in 0..EACH {
            request.clear();
            write(connection, n, &mut request);
            stream.write_all(request.as_bytes()).await?;
            match load::read(&mut stream, &mut answer).await? {
                200 | 201 => {}
                status => return Err(MeasureError::refused(status, &answer)),
            }
        }
        Ok(())
    });
    try_join_all(sending).await?;
    let count = (CONNECTIONS * EACH) as f64;
    Ok(Accepted {
        a_second: count / begun.elapsed().as_secs_f64(),
        processor: (server.processes.cpu_seconds()? - processor) / count,
    })
}
