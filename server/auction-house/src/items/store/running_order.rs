//! The running order in SQL.

use crate::ids::{AuctionId, ItemId};
use crate::items::running_order::{CalledItem, OrderPlace};
use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, query, query_scalar, row,
};
use platform::time::Moment;

/// Which items are listed that are still to be called.
#[derive(Debug, Clone)]
pub struct Listed {
    /// With those that are not held.
    pub with_called: bool,
    pub with_held: bool,
    /// Also items whose start is still to come.
    pub with_scheduled: bool,
    /// The last item of the page before.
    pub after: Option<OrderPlace>,
    pub limit: i64,
}

/// Items with a position, in the order of the positions, and the others, in the order of their lot numbers.
/// An auction without an order of its own has the others only, which an index finds in order.
macro_rules! called {
    (placed) => {
        called!(
            "running_order r JOIN items_now i ON i.id = r.item_id",
            "r.auction_id = $1 AND r.position > $6 ORDER BY r.position"
        )
    };
    (by_lot) => {
        called!(
            "items_now i LEFT JOIN running_order r ON r.item_id = i.id",
            "r.position IS NULL AND i.lot_key > $6 ORDER BY i.lot_key"
        )
    };
    ($from:literal, $after:literal) => {
        concat!(
            "SELECT i.id, i.lot_number, i.name, COALESCE(r.is_held, FALSE) AS is_held, r.position, i.lot_key
             FROM ",
            $from,
            " WHERE i.auction_id = $1 AND i.is_published AND i.closed_for_good_at IS NULL
                AND (i.ends_at IS NULL OR i.ends_at > $2)
                AND ($3 OR i.starts_at IS NULL OR i.starts_at <= $2)
                AND ($4 OR COALESCE(r.is_held, FALSE)) AND ($5 OR NOT COALESCE(r.is_held, FALSE)) AND ",
            $after,
            " LIMIT $7"
        )
    };
}

#[derive(sqlx_macros::FromRow)]
struct CalledRow {
    id: ItemId,
    lot_number: String,
    name: String,
    is_held: bool,
    position: Option<i64>,
    lot_key: String,
}

impl From<CalledRow> for CalledItem {
    fn from(row: CalledRow) -> Self {
        let CalledRow { id, lot_number, name, is_held, position, lot_key } = row;
        let place = position.map_or(OrderPlace::Lot(lot_key), OrderPlace::Position);
        Self { id, lot_number, name, is_held, place }
    }
}

/// The published items of the auction that are not closed, in the order in which they are called.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed,
    now: Moment,
) -> Result<Vec<CalledItem>, DbError> {
    let Listed { with_called, with_held, with_scheduled, after, limit } = listed;
    let asked = |sql: &'static str| {
        query(sql).bind(auction_id).bind(now).bind(with_scheduled).bind(with_called).bind(with_held)
    };
    let (position, lot_key) = match after {
        None => (Some(i64::MIN), String::new()),
        Some(OrderPlace::Position(position)) => (Some(position), String::new()),
        Some(OrderPlace::Lot(key)) => (None, key),
    };
    let mut found: Vec<CalledRow> = Vec::new();
    if let Some(position) = position {
        found = asked(called!(placed)).bind(position).bind(limit).fetch_all(&mut *conn).await?;
    }
    let left = limit - i64::try_from(found.len()).unwrap_or(limit);
    if left > 0 {
        let others: Vec<CalledRow> = asked(called!(by_lot)).bind(lot_key).bind(left).fetch_all(conn).await?;
        found.extend(others);
    }
    Ok(found.into_iter().map(CalledItem::from).collect())
}

/// The items of the auction that are not closed, drafts included, in order, with their positions.
pub async fn places(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Vec<(ItemId, Option<i64>)>, DbError> {
    query(
        "SELECT i.id, r.position FROM items i LEFT JOIN running_order r ON r.item_id = i.id
         WHERE i.auction_id = $1 AND i.closed_at IS NULL
         ORDER BY r.position IS NULL, r.position, i.lot_key",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await
}

/// Gives items of the auction these positions.
pub async fn write(
    conn: &mut Transaction,
    auction_id: AuctionId,
    positions: &[(ItemId, i64)],
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO running_order (item_id, auction_id, position)
         SELECT given.item_id, given.auction_id, given.position FROM",
        [item_id uuid, auction_id uuid, position bigint],
        "WHERE TRUE ON CONFLICT (item_id) DO UPDATE SET position = excluded.position"
    );
    if positions.is_empty() {
        return Ok(());
    }
    let mut writes = WriteBatch::default();
    writes.add(STATEMENT, positions.iter().map(|(item, position)| row![*item, auction_id, *position]));
    conn.run(writes).await
}

pub async fn is_held(conn: &mut Connection, item_id: ItemId) -> Result<bool, DbError> {
    let sql = "SELECT is_held FROM running_order WHERE item_id = $1";
    let held: Option<bool> = query_scalar(sql).bind(item_id).fetch_optional(conn).await?;
    Ok(held.unwrap_or(false))
}

/// Holds an item of the auction, or has it come back.
pub async fn hold(
    conn: &mut Transaction,
    auction_id: AuctionId,
    item_id: ItemId,
    is_held: bool,
) -> Result<(), DbError> {
    query(
        "INSERT INTO running_order (item_id, auction_id, is_held) VALUES ($1, $2, $3)
         ON CONFLICT (item_id) DO UPDATE SET is_held = excluded.is_held",
    )
    .bind(item_id)
    .bind(auction_id)
    .bind(is_held)
    .execute(conn)
    .await?;
    Ok(())
}
