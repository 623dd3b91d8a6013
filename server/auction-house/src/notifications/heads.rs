//! Up to where in the ledger of an auction its bidders were told who leads.

use super::store::heads;
use crate::ids::AuctionId;
use platform::db::{Database, DbError, SideBatch};
use platform::ids::Id;

/// A transaction beside the batches of bids that has locked the head of an auction's notices, with the
/// position that it has; `None` without the auction.
pub async fn lock(db: &Database, auction_id: AuctionId) -> Result<(SideBatch, Option<i64>), DbError> {
    let mut batch = db.begin_side_batch().await?;
    batch.lock(heads::LOCK, &[auction_id.uuid()]).await?;
    let position = heads::position(&mut batch, auction_id).await?;
    Ok((batch, position))
}
