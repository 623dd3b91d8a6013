//! The cost of bids, relative to requests that do nothing. Requests carry session cookies.
//!
//! The speed of a machine changes from second to second. So there are many short measurements, each between
//! two measurements of the requests that do nothing, and each result is divided by the mean of those two.

use std::net::SocketAddr;
use std::time::Duration;

use platform::net::raise_descriptors;

use crate::load::{self, Load, MeasureError, Measured};
use crate::serve::NOTHING;
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{CONNECTIONS, listeners, progress};

/// Connections that request pages.
const READERS: usize = 32;

/// Measures the listeners once, then everything else in each round.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let mut rows = rows();
    let (ratios, absolute) = rows.split_at_mut(PAIRED);
    progress("listeners");
    for (row, number) in absolute.iter_mut().zip(measure_listeners(server).await?) {
        row.add(number);
    }
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        for (row, number) in ratios.iter_mut().zip(measure_round(server, length).await?) {
            row.add(number);
        }
    }
    Ok(rows.into())
}

/// Number of rows that each round measures.
const PAIRED: usize = 10;

/// All rows: the results of [`measure_round`], then those of [`measure_listeners`].
fn rows() -> [Figure; PAIRED + 3] {
    [
        Figure::speed("accepted bids ÷ nothing, 256 connections on 50 items", 0.33, 0.45),
        Figure::speed("decided bids ÷ nothing, 256 connections on one item", 0.33, 0.50),
        Figure::plain("accepted ÷ decided bids, 256 connections on 50 items", Unit::Ratio),
        Figure::cost("processor time for one bid ÷ nothing, on 50 items", Unit::Ratio, 3.5, 2.6),
        Figure::plain("processor time for one bid ÷ nothing, with the client's", Unit::Ratio),
        Figure::speed("item pages ÷ nothing, 32 connections", 0.03, 0.10),
        Figure::plain("processor time for nothing behind all layers ÷ nothing", Unit::Ratio),
        Figure::plain("processor time for nothing", Unit::Microseconds),
        Figure::plain("processor time for one bid", Unit::Microseconds),
        Figure::plain("processor time for one item page", Unit::Microseconds),
        Figure::cost(
            "time until the last of 5000 listeners has received a bid, p99",
            Unit::Milliseconds,
            300.0,
            150.0,
        ),
        Figure::cost("memory, idle", Unit::Megabytes, 40.0, 20.0),
        Figure::cost("memory, 5000 listeners", Unit::Megabytes, 200.0, 150.0),
    ]
}

/// Measures delay and memory with many listeners, in absolute units, while the server has just started.
async fn measure_listeners(server: &Server) -> Result<[f64; 3], MeasureError> {
    raise_descriptors();
    let megabytes = |bytes: f64| bytes / 1e6;
    let idle = server.processes.memory_bytes()?;
    let listening = listeners::measure(server).await?;
    Ok([listening.delay.as_secs_f64() * 1e3, megabytes(idle), megabytes(listening.memory_bytes)])
}

/// Measures one round. The results are in the order of the rows.
async fn measure_round(server: &Server, length: Duration) -> Result<[f64; PAIRED], MeasureError> {
    let (target, filled) = (&server.target, &server.target.filled);
    let nothing_at = |address: SocketAddr| {
        let tokens = filled.tokens.clone();
        Load::new(address, server.processes, length, CONNECTIONS, move |n, request| {
            load::post(request, NOTHING, &tokens[n % tokens.len()], r#"{"amount":1}"#);
        })
    };
    let nothing = || nothing_at(target.bare_address);
    let bids = |items: usize| {
        let tokens = filled.tokens.clone();
        let paths: Vec<String> = (0..items).map(|item| filled.bid_path(item)).collect();
        let amounts = server.amounts.clone();
        Load::new(target.address, server.processes, length, CONNECTIONS, move |n, request| {
            let item = n % items;
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(item));
            load::post(request, &paths[item], &tokens[n % tokens.len()], &body);
        })
    };
    let pages = || {
        let (tokens, paths) = (filled.tokens.clone(), filled.items.clone());
        Load::new(target.address, server.processes, length, READERS, move |n, request| {
            load::get(request, &paths[n % paths.len()], &tokens[n % tokens.len()]);
        })
    };
    let first = nothing().run().await?;
    let spread = bids(filled.items.len()).run().await?;
    let second = nothing().run().await?;
    let hot = bids(1).run().await?;
    let third = nothing().run().await?;
    let page = pages().run().await?;
    let fourth = nothing().run().await?;
    let through = nothing_at(target.address).run().await?;
    let mean = |one: &Measured, other: &Measured, of: fn(&Measured) -> f64| (of(one) + of(other)) / 2.0;
    let nothing_cost = mean(&first, &second, Measured::cpu_each);
    let nothing_cost_with_client = mean(&first, &second, Measured::cpu_each_with_client);
    let micros = |seconds: f64| seconds * 1e6;
    Ok([
        spread.accepted() / mean(&first, &second, Measured::accepted),
        hot.decided() / mean(&second, &third, Measured::accepted),
        spread.accepted() / spread.decided(),
        spread.cpu_each() / nothing_cost,
        spread.cpu_each_with_client() / nothing_cost_with_client,
        page.accepted() / mean(&third, &fourth, Measured::accepted),
        through.cpu_each() / fourth.cpu_each(),
        micros(nothing_cost),
        micros(spread.cpu_each()),
        micros(page.cpu_each()),
    ])
}
