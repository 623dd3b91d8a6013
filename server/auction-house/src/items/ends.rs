//! Item ends follow the end of their auction.

use async_trait::async_trait;

use super::outcomes::Closing;
use super::store;
use crate::context::{AuctionEnds, ItemEnds};
use crate::ids::{ItemId, OutcomeId};
use platform::db::{DbError, Transaction, WriteBatch};
use platform::time::Moment;

/// Fits the stored items of an auction to its end.
pub struct StoredItemEnds;

#[async_trait]
impl ItemEnds for StoredItemEnds {
    async fn refit(&self, db: &mut Transaction, ends: AuctionEnds, now: Moment) -> Result<(), DbError> {
        // No other end opens again what has ended by its own.
        let ended = store::outcomes::ended(db, ends.auction_id, now).await?;
        let mut writes = WriteBatch::default();
        let close = |item_id: &ItemId| (*item_id, OutcomeId::new(now), &Closing::Clock);
        store::outcomes::close(&mut writes, ended.iter().map(close), now);
        db.run(writes).await?;
        store::refit_ends(db, ends, now).await
    }
}
