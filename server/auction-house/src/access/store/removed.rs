//! SQL on users whom a manager has removed from an auction.

use std::collections::HashSet;

use crate::ids::{AuctionId, UserId};
use platform::db::{Connection, DbError, Transaction, for_each_row, query, query_scalar, rows};
use platform::time::Moment;

pub async fn insert(
    conn: &mut Transaction,
    auction_id: AuctionId,
    user_id: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO removed_members (auction_id, user_id, removed_at) VALUES ($1, $2, $3)
         ON CONFLICT (auction_id, user_id) DO NOTHING",
    )
    .bind(auction_id)
    .bind(user_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets that the user was removed.
pub async fn delete(conn: &mut Transaction, auction_id: AuctionId, user_id: UserId) -> Result<(), DbError> {
    query("DELETE FROM removed_members WHERE auction_id = $1 AND user_id = $2")
        .bind(auction_id)
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the user was removed from the auction, and no invite has brought them back.
pub async fn contains(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM removed_members WHERE auction_id = $1 AND user_id = $2)";
    query_scalar(sql).bind(auction_id).bind(user_id).fetch_one(conn).await
}

/// The users of `wanted` who can't join by a bid: users who were removed, and deleted accounts.
pub async fn among(
    conn: &mut Connection,
    wanted: &[(AuctionId, UserId)],
) -> Result<HashSet<(AuctionId, UserId)>, DbError> {
    if wanted.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<(AuctionId, UserId)> = query(for_each_row!(
        "SELECT given.auction_id, given.user_id FROM",
        [auction_id id, user_id id],
        "JOIN users u ON u.id = given.user_id
         LEFT JOIN removed_members r ON r.auction_id = given.auction_id AND r.user_id = given.user_id
         WHERE u.erased_at IS NOT NULL OR r.user_id IS NOT NULL"
    ))
    .bind(rows(wanted)?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}
