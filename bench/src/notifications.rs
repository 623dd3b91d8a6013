//! Bids that notify another bidder, and bids that are recorded in the table of bidders, relative to bids that
//! are not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::load::{self, Load, MeasureError, Measured};
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{CONNECTIONS, progress};

/// Items on which users outbid one another; on the others every user bids.
pub const DUEL_ITEMS: usize = 50;

/// Compares bids that outbid another user with bids that raise the user's own, and first bids of users on
/// items with further ones. Both are bids of the same sessions on the same items, and each measurement is
/// between two of what it is divided by.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let mut notifying = Figure::speed(
        "accepted bids that outbid another user ÷ that raise the user's own, 256 connections on 50 items",
        0.7,
        0.95,
    );
    let mut tenth = Figure::speed(
        "bids of which each tenth is the first of its user on its item ÷ none, 256 connections on 1000 items",
        0.95,
        1.0,
    );
    let mut each = Figure::plain("the same, each bid ÷ none, measured once", Unit::Ratio);
    let mut pairs = Pairs::of(server, length);
    let recorded = pairs.bids(Some(1)).await?;
    each.add(recorded.accepted() / pairs.bids(None).await?.accepted());
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let before = duel(server, length, 0).await?;
        let outbidding = duel(server, length, 1).await?;
        let after = duel(server, length, 0).await?;
        notifying.add(2.0 * outbidding.accepted() / (before.accepted() + after.accepted()));

        let before = pairs.bids(None).await?;
        let recorded = pairs.bids(Some(10)).await?;
        let after = pairs.bids(None).await?;
        tenth.add(2.0 * recorded.accepted() / (before.accepted() + after.accepted()));
    }
    Ok(vec![notifying, tenth, each])
}

/// Bids on all items of the duels, each of several connections. The bidders of an item are `apart` sessions
/// apart.
async fn duel(server: &Server, length: Duration, apart: usize) -> Result<Measured, MeasureError> {
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

/// All pairs of a user and an item besides those of the duels, in an order in which each bid outbids another
/// user.
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

    /// Further bids of users on items. With `new_every`, one bid in so many is the first of its user on its
    /// item.
    async fn bids(&mut self, new_every: Option<usize>) -> Result<Measured, MeasureError> {
        let Server { target, amounts, processes, .. } = self.server;
        let (used, all) = (self.used, self.paths.len() * target.filled.tokens.len());
        let (old, new) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (next_old, next_new, paths) = (Arc::clone(&old), Arc::clone(&new), Arc::clone(&self.paths));
        let (tokens, amounts) = (target.filled.tokens.clone(), amounts.clone());
        let load = Load::new(target.address, *processes, self.length, CONNECTIONS, move |_, request| {
            let placed = next_old.load(Ordering::Relaxed) + next_new.load(Ordering::Relaxed);
            let pair = match new_every {
                Some(every) if placed % every == 0 => used + next_new.fetch_add(1, Ordering::Relaxed),
                _ => next_old.fetch_add(1, Ordering::Relaxed) % used.max(1),
            } % all;
            let item = pair % paths.len();
            let bidder = (pair / paths.len() + item) % tokens.len();
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(DUEL_ITEMS + item));
            load::post(request, &paths[item], &tokens[bidder], &body);
        });
        let measured = load.run().await?;
        self.used += new.load(Ordering::Relaxed);
        if self.used < all { Ok(measured) } else { Err(MeasureError::NotFilled) }
    }
}
