//! The ends of an auction's items in SQL, set all at once.

use crate::ids::{AuctionId, ItemId};
use platform::db::{BulkStatement, Connection, DbError, WriteBatch, bulk_statement, query, row};
use platform::time::Moment;

/// What decides whether an item may end at some moment.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct OpenItem {
    pub id: ItemId,
    pub lot_number: String,
    pub starts_at: Option<Moment>,
}

/// The items of an auction that are not closed, by lot number.
pub async fn not_closed(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Vec<OpenItem>, DbError> {
    query(
        "SELECT i.id, i.lot_number, i.starts_at FROM items_now i
         WHERE i.auction_id = $1 AND i.closed_for_good_at IS NULL AND (i.ends_at IS NULL OR i.ends_at > $2)
         ORDER BY i.lot_key",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_all(conn)
    .await
}

/// Gives items ends of their own, unless they are closed.
pub fn set(writes: &mut WriteBatch, ends: impl Iterator<Item = (ItemId, Moment)>, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE items SET end_date = given.end_date, version = items.version + 1, updated_at = given.now FROM",
        [id uuid, end_date bigint, now bigint],
        "WHERE items.id = given.id AND items.closed_at IS NULL"
    );
    writes.add(STATEMENT, ends.map(|(id, end)| row![id, end, now]));
}
