//! The items that a user bids on, watches or sells, in all auctions that the user may see. Newest items
//! first.

use crate::ids::{ItemId, UserId};
use crate::usage::{ItemBidOn, NEWEST_BID_WITHIN, OwnItem};
use platform::db::{Connection, DbError, query};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// The columns of an [`OwnItem`] from the item `i`. `$2` is the moment.
macro_rules! columns {
    () => {
        "i.id AS item_id, (i.closed_for_good_at IS NOT NULL OR COALESCE(i.ends_at <= $2, FALSE)) AS has_ended,
         CASE WHEN i.closed_for_good_at < i.ends_at THEN i.closed_for_good_at
              ELSE COALESCE(i.ends_at, i.closed_for_good_at) END AS ends_at"
    };
}

/// The auction `a` of the item `i`, and the membership `m` of the user `$1`.
macro_rules! auction {
    () => {
        " JOIN auctions a ON a.id = i.auction_id
          LEFT JOIN members m ON m.auction_id = i.auction_id AND m.user_id = $1"
    };
}

/// The auction `a` of the item `i`, if the user `$1` may see it.
macro_rules! visible {
    () => {
        concat!(auction!(), " WHERE (a.join_mode = 'FREE' OR m.role IS NOT NULL)")
    };
}

/// Up to `limit` items older than `before` that the user has a standing bid on. An item with bids is never a
/// draft.
pub async fn items_bid_on(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<ItemBidOn>, DbError> {
    query(concat!(
        "SELECT ",
        columns!(),
        ", COALESCE($1 = CASE WHEN o.result IS NULL
                   THEN (SELECT b.bidder_id FROM bids b WHERE b.item_id = i.id AND b.sequence = i.leading_sequence)
                   ELSE o.winner_id END, FALSE) AS is_ahead,
                COALESCE(o.winner_id = $1 AND (o.paid_at IS NULL OR o.collected_at IS NULL), FALSE) AS is_due
         FROM bidders p
         JOIN items_now i ON i.id = p.item_id
         LEFT JOIN outcomes o ON o.item_id = i.id AND o.number = i.outcome_number",
        auction!(),
        // A winner who was removed from the auction since still sees the item.
        " WHERE (a.join_mode = 'FREE' OR m.role IS NOT NULL OR o.winner_id = $1)
          AND p.user_id = $1 AND p.item_id < $3
          AND (i.withdrawals IS NULL OR EXISTS (
              SELECT 1 FROM bids n
              WHERE n.item_id = p.item_id AND n.bidder_id = $1 AND n.sequence < p.sequence + $5 AND NOT EXISTS (
                  SELECT 1 FROM withdrawals w WHERE w.item_id = n.item_id AND w.sequence = n.sequence)))
          ORDER BY p.item_id DESC LIMIT $4"
    ))
    .bind(user_id)
    .bind(now)
    .bind(before.unwrap_or_else(greatest))
    .bind(limit)
    .bind(NEWEST_BID_WITHIN)
    .fetch_all(conn)
    .await
}

/// Up to `limit` items older than `before` that the user watches, among them drafts that the user may not
/// see.
pub async fn items_watched(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<OwnItem>, DbError> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM watches p JOIN items_now i ON i.id = p.item_id",
        visible!(),
        " AND p.user_id = $1 AND p.item_id < $3 ORDER BY p.item_id DESC LIMIT $4"
    ))
    .bind(user_id)
    .bind(now)
    .bind(before.unwrap_or_else(greatest))
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Up to `limit` items older than `before` that the user sells, among them drafts that the user may not see.
pub async fn items_sold(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<OwnItem>, DbError> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM items_now i",
        visible!(),
        " AND i.seller_id = $1 AND i.id < $3 ORDER BY i.id DESC LIMIT $4"
    ))
    .bind(user_id)
    .bind(now)
    .bind(before.unwrap_or_else(greatest))
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// An id after every other one.
fn greatest() -> ItemId {
    ItemId::of(Uuid::max())
}
