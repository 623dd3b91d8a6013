//! Item ends follow the end of their auction.

use crate::auctions::Auction;
use crate::books::store::batch::Sale;
use crate::ids::{ItemId, OutcomeId};
use crate::items::outcomes::Closing;
use crate::items::outcomes::charges::charge;
use crate::items::store;
use crate::items::store::outcomes::FirstOutcome;
use crate::notifications::NewNotification;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::time::Moment;

/// Adjusts the ends of the items to the changed end of the auction, in the transaction that changes it.
/// Returns the notifications of what was shared of items that had ended by their own.
pub async fn adjust(
    db: &mut Transaction,
    auction: &Auction,
    now: Moment,
) -> Result<Vec<NewNotification>, DbError> {
    // No other end opens again what has ended by its own.
    let ended = store::outcomes::ended(db, auction.id, now).await?;
    let ended: Vec<_> = ended.into_iter().map(|item_id| (item_id, OutcomeId::new(now))).collect();
    let items =
        store::bidding::read(db, &ended.iter().map(|(item_id, _)| *item_id).collect::<Vec<_>>()).await?;
    let mut sold = Vec::new();
    let mut writes = WriteBatch::default();
    let close = |(item_id, id): &(ItemId, OutcomeId)| FirstOutcome {
        id: *id,
        item_id: *item_id,
        copy: 1,
        closing: &Closing::Clock,
        is_unsold: false,
        now,
    };
    store::outcomes::close(&mut writes, ended.iter().map(close));
    db.run(writes).await?;
    for (item_id, outcome_id) in ended {
        if let Some(Ok(item)) = items.get(&item_id)
            && let (Some(book_id), Some(leading)) = (item.book_id, item.leading)
        {
            sold.push((book_id, Sale { item_id, outcome_id, copy: 1, number: 1, by: None }, leading));
        }
    }
    let shared = charge(db, auction.id, sold, now).await?;
    store::adjust_ends(db, auction, now).await?;
    Ok(shared)
}
