//! Members who follow items: they watch them or have bid on them.

use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{Connection, DbError, for_each_row, query, query_scalar, rows};

/// The members who watch an item or have bid on it.
pub async fn followers(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT m.user_id FROM members m
         WHERE m.auction_id = $1
           AND (EXISTS (SELECT 1 FROM watches w
                        WHERE w.auction_id = $1 AND w.user_id = m.user_id AND w.item_id = $2)
                OR EXISTS (SELECT 1 FROM bidders b WHERE b.user_id = m.user_id AND b.item_id = $2)
                OR EXISTS (SELECT 1 FROM sealed_bids s
                           WHERE s.bidder_id = m.user_id AND s.item_id = $2 AND s.ended_at IS NULL))",
    )
    .bind(auction_id)
    .bind(item_id)
    .fetch_all(conn)
    .await
}

/// The members who watch one of the items or have bid on it, each with that item.
pub async fn followers_of(
    conn: &mut Connection,
    auction_id: AuctionId,
    items: &[ItemId],
) -> Result<Vec<(ItemId, UserId)>, DbError> {
    match items {
        [] => return Ok(Vec::new()),
        [item] => {
            let users = followers(conn, auction_id, *item).await?;
            return Ok(users.into_iter().map(|user| (*item, user)).collect());
        }
        _ => {}
    }
    // What all members follow is read once: items and members are far more pairs.
    query(for_each_row!(
        "SELECT given.item_id, f.user_id FROM",
        [item_id id],
        "JOIN (SELECT w.item_id, w.user_id FROM watches w WHERE w.auction_id = $2
               UNION
               SELECT b.item_id, b.user_id FROM members m JOIN bidders b ON b.user_id = m.user_id
               WHERE m.auction_id = $2
               UNION
               SELECT s.item_id, s.bidder_id FROM sealed_bids s
               WHERE s.auction_id = $2 AND s.ended_at IS NULL) f ON f.item_id = given.item_id"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .bind(auction_id)
    .fetch_all(conn)
    .await
}
