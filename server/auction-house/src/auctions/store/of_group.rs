//! The auctions of a group.

use crate::auctions::group::OfGroup;
use crate::ids::{AuctionId, GroupId};
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

/// All auctions of a group, by id.
pub async fn of_group(conn: &mut Connection, group_id: GroupId) -> Result<Vec<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE group_id = $1 ORDER BY id")
        .bind(group_id)
        .fetch_all(conn)
        .await
}

/// The auctions of a group that are not closed, by id.
pub async fn open_of_group(conn: &mut Connection, group_id: GroupId) -> Result<Vec<OfGroup>, DbError> {
    query("SELECT id, book_id FROM auctions WHERE group_id = $1 AND closed_at IS NULL ORDER BY id")
        .bind(group_id)
        .fetch_all(conn)
        .await
}

/// Takes the group from its auctions, which stay.
pub async fn forget_group(conn: &mut Transaction, group_id: GroupId, now: Moment) -> Result<(), DbError> {
    let sql =
        "UPDATE auctions SET group_id = NULL, version = version + 1, updated_at = $2 WHERE group_id = $1";
    query(sql).bind(group_id).bind(now).execute(conn).await?;
    Ok(())
}
