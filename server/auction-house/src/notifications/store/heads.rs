//! Positions of the ledgers up to which bidders were told who leads, in SQL.

use crate::ids::AuctionId;
use platform::db::{
    BulkStatement, Connection, DbError, RowLock, Transaction, WriteBatch, bulk_statement, query,
    query_scalar, row,
};

pub(in crate::notifications) const LOCK: RowLock = RowLock {
    sqlite: None,
    postgres: "SELECT 1 FROM notice_heads WHERE auction_id = ANY($1) ORDER BY auction_id FOR NO KEY UPDATE",
};

/// Adds the head of an auction's notices, in the transaction that creates the auction.
pub async fn insert(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    let sql = "INSERT INTO notice_heads (auction_id, position) VALUES ($1, 0)";
    query(sql).bind(auction_id).execute(conn).await?;
    Ok(())
}

/// The position up to which the bidders of an auction were told; `None` without the auction.
pub async fn position(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<i64>, DbError> {
    let sql = "SELECT position FROM notice_heads WHERE auction_id = $1";
    query_scalar(sql).bind(auction_id).fetch_optional(conn).await
}

/// Moves the head of an auction's notices to a position.
pub fn advance(writes: &mut WriteBatch, auction_id: AuctionId, position: i64) {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite: "UPDATE notice_heads SET position = ?2 WHERE auction_id = ?1",
        "UPDATE notice_heads SET position = given.position FROM",
        [auction_id uuid, position bigint],
        "WHERE notice_heads.auction_id = given.auction_id"
    );
    writes.add(STATEMENT, [row![auction_id, position]]);
}
