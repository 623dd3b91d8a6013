//! Bids that notify another bidder, and bids that are recorded in the table of bidders, relative to bids that are not.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::load::{self, Load, LoadError, Measured};
use super::server::Server;
use super::table::Row;
use super::{CONNECTIONS, progress};

/// Items on which users outbid one another; on the others every user bids.
pub const DUEL_ITEMS: usize = 50;

/// Measures bids with which several bidders outbid one another between two measurements of bids with which users raise their
/// own, and first bids of users on items between two measurements of further ones. What is compared are always bids of the
/// same sessions on the same items.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Row>, LoadError> {
    let mut notifying = Row::speed(
        "accepted bids that outbid another user ÷ that raise the user's own, 256 connections on 50 items",
        0.7,
        0.95,
    );
    let mut recorded = Row::speed(
        "first bids of users on items ÷ further bids of the same users, 256 connections on 1000 items",
        0.95,
        1.0,
    );
    let mut pairs = Pairs::of(server, length);
    pairs.first_bids().await?;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let before = duel(server, length, 0).await?;
        let outbidding = duel(server, length, 1).await?;
        let after = duel(server, length, 0).await?;
        notifying.add(2.0 * outbidding.accepted() / (before.accepted() + after.accepted()));

        let before = pairs.further_bids().await?;
        let first = pairs.first_bids().await?;
        let after = pairs.further_bids().await?;
        recorded.add(2.0 * first.accepted() / (before.accepted() + after.accepted()));
    }
    Ok(vec![notifying, recorded])
}

/// Bids on all items of the duels, each of several connections. The bidders of an item are `apart` sessions apart.
async fn duel(server: &Server, length: Duration, apart: usize) -> Result<Measured, LoadError> {
    let filled = &server.target.filled;
    let paths: Vec<String> = (0..DUEL_ITEMS).map(|item| filled.bid_path(item)).collect();
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

/// All pairs of a user and an item besides those of the duels, in an order in which each bid outbids another user.
struct Pairs<'a> {
    server: &'a Server,
    length: Duration,
    paths: Arc<[String]>,
    /// How many of them a bid was placed with.
    used: usize,
}

impl<'a> Pairs<'a> {
    fn of(server: &'a Server, length: Duration) -> Self {
        let filled = &server.target.filled;
        let paths = (DUEL_ITEMS..filled.items.len()).map(|item| filled.bid_path(item)).collect();
        Self { server, length, paths, used: 0 }
    }

    /// First bids of users on items.
    async fn first_bids(&mut self) -> Result<Measured, LoadError> {
        let pairs = self.used..self.paths.len() * self.server.target.filled.tokens.len();
        let (measured, placed) = self.bids(pairs.clone()).await?;
        self.used += placed;
        if pairs.contains(&self.used) { Ok(measured) } else { Err(LoadError::NotFilled) }
    }

    /// Further bids of the same users on the same items.
    async fn further_bids(&self) -> Result<Measured, LoadError> {
        Ok(self.bids(0..self.used).await?.0)
    }

    /// Bids with these pairs, again and again. Returns how many were placed, too.
    async fn bids(&self, pairs: Range<usize>) -> Result<(Measured, usize), LoadError> {
        let Server { target, amounts, processes, .. } = self.server;
        if pairs.is_empty() {
            return Err(LoadError::NotFilled);
        }
        let placed = Arc::new(AtomicUsize::new(0));
        let (counter, paths) = (Arc::clone(&placed), Arc::clone(&self.paths));
        let (tokens, amounts) = (target.filled.tokens.clone(), amounts.clone());
        let load = Load::new(target.address, *processes, self.length, CONNECTIONS, move |_, request| {
            let pair = pairs.start + counter.fetch_add(1, Ordering::Relaxed) % pairs.len();
            let item = pair % paths.len();
            let bidder = (pair / paths.len() + item) % tokens.len();
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(DUEL_ITEMS + item));
            load::post(request, &paths[item], &tokens[bidder], &body);
        });
        let measured = load.run().await?;
        Ok((measured, placed.load(Ordering::Relaxed)))
    }
}
