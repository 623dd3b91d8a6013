//! Auctions that are being deleted.

use crate::ids::AuctionId;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;
use platform::token::LinkToken;

/// Begins the deletion of an auction. Only members see what is left of it, who are removed in the same
/// transaction. It is closed, and has neither book nor group, so that nothing waits for it; the other link is
/// passed on to nobody.
pub async fn begin_deletion(
    conn: &mut Transaction,
    auction_id: AuctionId,
    other_link: &LinkToken,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "UPDATE auctions
         SET deleted_at = $2, closed_at = COALESCE(closed_at, $2), join_mode = 'INVITE_ONLY', readable_by = 'MEMBERS',
             link_token = $3, screen_token_hash = NULL, book_id = NULL, group_id = NULL
         WHERE id = $1",
    )
    .bind(auction_id)
    .bind(now)
    .bind(other_link)
    .execute(conn)
    .await?;
    Ok(())
}

/// Auctions whose deletion has begun.
pub async fn deleted(conn: &mut Connection) -> Result<Vec<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 100")
        .fetch_all(conn)
        .await
}

/// Removes an auction without items, with everything that it still has.
pub async fn delete(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    query("DELETE FROM auctions WHERE id = $1 AND deleted_at IS NOT NULL")
        .bind(auction_id)
        .execute(conn)
        .await?;
    Ok(())
}
