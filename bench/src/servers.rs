//! Bids at several servers on one PostgreSQL database, relative to bids at one of them.

use std::path::Path;
use std::time::Duration;

use futures::future::try_join_all;

use crate::BenchError;
use crate::load::{self, Load, MeasureError, Measured};
use crate::subject::BenchSubject;
use crate::table::Figure;
use crate::target::Server;
use crate::{CONNECTIONS, progress};

/// Servers beside the first one.
pub const OTHERS: usize = 2;

/// Measures bids at several servers in each round, between two measurements of one.
pub async fn measure(servers: &[Server], length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let mut rows = vec![
        Figure::speed("bids decided by two servers ÷ by one, 50 items", 0.7, 0.9),
        Figure::speed("bids decided by three servers ÷ by one, 50 items", 0.5, 0.8),
        Figure::speed(
            "bids decided by two servers, each on 25 items of one auction ÷ by one on 50",
            0.7,
            0.9,
        ),
    ];
    let items = servers[0].target.filled.items.len();
    let all = 0..items;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let one = async || bids(&servers[..1], |_| all.clone(), length).await;
        let before = one().await?;
        let two = bids(&servers[..2], |_| all.clone(), length).await?;
        let between = one().await?;
        let three = bids(servers, |_| all.clone(), length).await?;
        let later = one().await?;
        let half = items / 2;
        let apart = bids(&servers[..2], |at| half * at..half * (at + 1), length).await?;
        let after = one().await?;
        rows[0].add(2.0 * two / (before + between));
        rows[1].add(2.0 * three / (between + later));
        rows[2].add(2.0 * apart / (later + after));
    }
    Ok(rows)
}

/// The bids that these servers decide in a second, each on its items, on as many connections altogether.
async fn bids(
    servers: &[Server],
    items_of: impl Fn(usize) -> std::ops::Range<usize>,
    length: Duration,
) -> Result<f64, MeasureError> {
    let filled = &servers[0].target.filled;
    let loads = servers.iter().enumerate().map(|(at, server)| {
        let (tokens, amounts) = (filled.tokens.clone(), servers[0].amounts.clone());
        let paths: Vec<_> = items_of(at).map(|item| (item, filled.bid_path(item))).collect();
        let connections = CONNECTIONS / servers.len();
        Load::new(server.target.address, server.processes, length, connections, move |n, request| {
            let (item, path) = &paths[n % paths.len()];
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(*item));
            load::post(request, path, &tokens[(at * connections + n) % tokens.len()], &body);
        })
    });
    let loads = Vec::from_iter(loads);
    let measured = try_join_all(loads.iter().map(Load::run)).await?;
    Ok(measured.iter().map(Measured::decided).sum())
}

/// Starts the other servers on the database that the first one has filled.
pub fn start_others(folder: &Path, database_url: &str, first: Server) -> Result<Vec<Server>, BenchError> {
    let mut servers = vec![first];
    for _ in 0..OTHERS {
        servers.push(Server::start(folder, BenchSubject::Servers, database_url, None)?);
    }
    Ok(servers)
}
