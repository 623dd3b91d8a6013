//! Item ends follow the end of their auction.

use async_trait::async_trait;

use super::store;
use crate::context::{AuctionEnds, ItemEnds};
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Fits the stored items of an auction to its end.
pub struct StoredItemEnds;

#[async_trait]
impl ItemEnds for StoredItemEnds {
    async fn refit(&self, db: &mut Transaction, ends: AuctionEnds, now: Moment) -> Result<(), DbError> {
        store::refit_ends(db, ends, now).await
    }
}
