//! Bids that notify another bidder, relative to bids without a notification.

use std::time::Duration;

use super::load::{self, Load, LoadError, Measured};
use super::server::Server;
use super::table::Row;
use super::{CONNECTIONS, progress};

/// Measures bids on items on which several bidders outbid one another, between two measurements of bids on items that have
/// one bidder each. Both are bids of the same sessions on the same items.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Row>, LoadError> {
    let mut row = Row::speed(
        "accepted bids that outbid another user ÷ that raise the user's own, 256 connections on 50 items",
        0.95,
        1.0,
    );
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let before = bids(server, length, 0).await?;
        let outbidding = bids(server, length, 1).await?;
        let after = bids(server, length, 0).await?;
        row.add(2.0 * outbidding.accepted() / (before.accepted() + after.accepted()));
    }
    Ok(vec![row])
}

/// Bids on all items, each of several connections. The bidders of an item are `apart` sessions apart.
async fn bids(server: &Server, length: Duration, apart: usize) -> Result<Measured, LoadError> {
    let filled = &server.target.filled;
    let paths: Vec<String> = (0..filled.items.len()).map(|item| filled.bid_path(item)).collect();
    let (tokens, amounts) = (filled.tokens.clone(), server.amounts.clone());
    let load = Load::new(server.target.address, server.processes, length, CONNECTIONS, move |n, request| {
        let items = paths.len();
        let item = n % items;
        let bidder = (item + apart * (n / items)) % items;
        let body = format!(r#"{{"amount":{}}}"#, amounts.next(item));
        load::post(request, &paths[item], &tokens[bidder], &body);
    });
    load.run().await
}
