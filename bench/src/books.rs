//! Bids in an auction with a book, relative to bids in one without.

use std::time::Duration;

use crate::load::{self, Load, MeasureError, Measured};
use crate::table::Figure;
use crate::target::Server;
use crate::{CONNECTIONS, progress};

/// Measures bids with a book in each round, between two measurements without one.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let mut row = Figure::speed(
        "accepted bids in an auction with a book ÷ without, 256 connections on 50 items",
        0.9,
        1.0,
    );
    let [without, with] = &*server.target.filled.auctions else { return Err(MeasureError::NotFilled) };
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let before = bids(server, without, length).await?;
        let in_book = bids(server, with, length).await?;
        let after = bids(server, without, length).await?;
        row.add(2.0 * in_book.accepted() / (before.accepted() + after.accepted()));
    }
    Ok(vec![row])
}

/// Bids on all items of an auction.
pub async fn bids(server: &Server, auction: &str, length: Duration) -> Result<Measured, MeasureError> {
    let filled = &server.target.filled;
    let of_auction = |at: &usize| filled.items[*at].starts_with(auction);
    let paths: Vec<(usize, String)> =
        (0..filled.items.len()).filter(of_auction).map(|at| (at, filled.bid_path(at))).collect();
    let (tokens, amounts) = (filled.tokens.clone(), server.amounts.clone());
    let load = Load::new(server.target.address, server.processes, length, CONNECTIONS, move |n, request| {
        let (item, path) = &paths[n % paths.len()];
        let body = format!(r#"{{"amount":{}}}"#, amounts.next(*item));
        load::post(request, path, &tokens[n % tokens.len()], &body);
    });
    load.run().await
}
