//! The ends of items in SQL.

use crate::ids::{AuctionId, ItemId};
use crate::items::ITEMS_MAX;
use platform::db::{Connection, DbError, query};
use platform::time::Moment;

/// When bidding on an item ends or has ended.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct ItemEnd {
    pub id: ItemId,
    pub lot_number: String,
    pub name: String,
    ends_at: Option<Moment>,
    closed_for_good_at: Option<Moment>,
}

impl ItemEnd {
    /// The end, or the moment at which the item was closed before it.
    pub fn at(&self) -> Option<Moment> {
        [self.ends_at, self.closed_for_good_at].into_iter().flatten().min()
    }
}

/// The published items of an auction that were not cancelled, by lot number.
pub async fn ends(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemEnd>, DbError> {
    query(
        "SELECT i.id, i.lot_number, i.name, i.ends_at, i.closed_for_good_at FROM items_now i
         WHERE i.auction_id = $1 AND i.is_published
           AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.item_id = i.id AND o.result = 'CANCELLED')
         ORDER BY i.lot_key LIMIT $2",
    )
    .bind(auction_id)
    .bind(ITEMS_MAX)
    .fetch_all(conn)
    .await
}
