//! Bidders in SQL: who has bid on which items.

use std::collections::{BTreeMap, HashMap};

use super::{COLUMNS, JOINS, StoredBid};
use crate::bids::Bid;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::usage::NEWEST_BID_WITHIN;
use crate::usage::ledger::newest_standing;
use platform::db::{
    BulkStatement, Connection, DbError, WriteBatch, bulk_statement, concatcp, for_each_row, query, row, rows,
};

/// Writes bidders, each with the sequence of a bid of theirs on the item.
pub fn record(writes: &mut WriteBatch, bidders: BTreeMap<(UserId, ItemId), i64>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO bidders (user_id, item_id, sequence)
         SELECT given.user_id, given.item_id, given.sequence FROM",
        [user_id uuid, item_id uuid, sequence bigint],
        "WHERE TRUE ON CONFLICT (user_id, item_id) DO UPDATE SET sequence = excluded.sequence"
    );
    writes.add(STATEMENT, bidders.into_iter().map(|((user, item), sequence)| row![user, item, sequence]));
}

/// The newest standing bid of the user on each of these items of auctions. An item without one is left out.
pub async fn newest_standing(
    conn: &mut Connection,
    user_id: UserId,
    items: &[(AuctionId, ItemId)],
) -> Result<HashMap<ItemId, Bid>, DbError> {
    if items.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<StoredBid> = query(for_each_row!(
        concatcp!("SELECT ", COLUMNS, " FROM"),
        [auction_id id, item_id id],
        // SQLite reads tables in the order of a CROSS JOIN: these items first, not all that the user has bid
        // on.
        concatcp!(
            "CROSS JOIN bidders p CROSS JOIN bids b",
            JOINS,
            "WHERE p.user_id = $2 AND p.item_id = given.item_id
               AND b.auction_id = given.auction_id AND b.position = ",
            newest_standing!("p.item_id", "$2", "p.sequence + $3 - 1")
        )
    ))
    .bind(rows(items)?)
    .bind(user_id)
    .bind(NEWEST_BID_WITHIN)
    .fetch_all(conn)
    .await?;
    let auctions: HashMap<ItemId, AuctionId> =
        items.iter().map(|(auction, item)| (*item, *auction)).collect();
    let read = |row: StoredBid| {
        let auction_id = auctions.get(&row.item_id).copied();
        let auction_id = auction_id.ok_or_else(|| DbError::Corrupt("a bid on another item".to_owned()))?;
        Ok((row.item_id, row.read(auction_id)?))
    };
    found.into_iter().map(read).collect()
}
