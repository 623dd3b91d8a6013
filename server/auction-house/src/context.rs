//! What the verbs of the sale work with.

use std::sync::Arc;

use async_trait::async_trait;
use platform::db::{Database, DbError, Transaction};
use platform::time::{Clock, Moment};

use crate::events::Events;
use crate::ids::AuctionId;
use crate::notifications::Notifier;

/// The database, the clock, the publisher of committed changes, and what keeps items in step with their auction.
#[derive(Clone)]
pub struct Context {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
    pub notifier: Notifier,
    pub item_ends: Arc<dyn ItemEnds>,
}

/// What an auction says about the ends of its items.
#[derive(Debug, Clone, Copy)]
pub struct AuctionEnds {
    pub auction_id: AuctionId,
    pub end_date: Option<Moment>,
    /// An item may end on its own, earlier than the auction.
    pub items_may_differ: bool,
}

/// The items' side of an auction's changed end. A trait, since auctions come before items in the order of the rooms.
#[async_trait]
pub trait ItemEnds: Send + Sync {
    /// Called in the transaction that changes the auction's end.
    async fn refit(&self, db: &mut Transaction, ends: AuctionEnds, now: Moment) -> Result<(), DbError>;
}
