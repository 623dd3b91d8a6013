//! Auctions to be read: those of this server at once, those of others after a while.

use std::collections::{BTreeSet, HashMap};

use tokio::time::Instant;

use crate::events::Signal;
use crate::ids::AuctionId;

/// Auctions that are remembered one by one, at most. With more of them all are looked through.
const AUCTIONS_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Due {
    /// Signals were missed: any auction may have news.
    pub(super) is_everything: bool,
    /// Auctions in which this server has committed something.
    pub(super) auctions: BTreeSet<AuctionId>,
    /// Auctions in which another server has.
    pub(super) watched: HashMap<AuctionId, Watched>,
}

/// An auction in which another server has committed something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    /// When it is looked at.
    pub(super) at: Instant,
    /// The last position that its events had at the first look.
    pub(super) head: Option<i64>,
}

impl Due {
    /// Takes note of a commit of this server.
    pub(super) fn add(&mut self, signal: &Signal) {
        match signal {
            Signal::Items(items) => self.auctions.extend(items.iter().map(|(auction_id, _)| *auction_id)),
            Signal::AllItems(auction_id) => drop(self.auctions.insert(*auction_id)),
            Signal::Everything => self.is_everything = true,
            Signal::UserEvents(_) => {}
        }
        self.keep_bounds();
    }

    /// Takes note of a commit of another server, to be looked at then. Whether it was unknown.
    pub(super) fn watch(&mut self, signal: &Signal, at: Instant) -> bool {
        let known = self.watched.len();
        let mut watch = |auction_id| {
            self.watched.entry(auction_id).or_insert(Watched { at, head: None });
        };
        match signal {
            Signal::Items(items) => items.iter().for_each(|(auction_id, _)| watch(*auction_id)),
            Signal::AllItems(auction_id) => watch(*auction_id),
            Signal::Everything => self.is_everything = true,
            Signal::UserEvents(_) => {}
        }
        let is_new = self.is_everything || self.watched.len() > known;
        self.keep_bounds();
        is_new
    }

    /// When something is due next.
    pub(super) fn next(&self) -> Option<Instant> {
        if self.is_everything || !self.auctions.is_empty() {
            return Some(Instant::now());
        }
        self.watched.values().map(|watched| watched.at).min()
    }

    /// Takes what is due by now.
    pub(super) fn take(&mut self, now: Instant) -> Self {
        Self {
            is_everything: std::mem::take(&mut self.is_everything),
            auctions: std::mem::take(&mut self.auctions),
            watched: self.watched.extract_if(|_, watched| watched.at <= now).collect(),
        }
    }

    fn keep_bounds(&mut self) {
        if self.auctions.len() > AUCTIONS_MAX || self.watched.len() > AUCTIONS_MAX {
            *self = Self { is_everything: true, ..Self::default() };
        }
    }
}
