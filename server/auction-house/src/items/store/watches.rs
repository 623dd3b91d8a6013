//! Which members watch which items, in SQL.

use std::collections::HashSet;

use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{Connection, DbError, Sql, Transaction, for_each_row, query, query_scalar, rows};
use platform::time::Moment;

/// Whether the member `m` watches the item `i`, as the column `watched`.
pub(super) const WATCHED: &str = "EXISTS (
             SELECT 1 FROM watches w
             WHERE w.auction_id = m.auction_id AND w.user_id = m.user_id AND w.item_id = i.id
         ) AS watched";

macro_rules! insert {
    ($lock:literal) => {
        concat!(
            "INSERT INTO watches (auction_id, user_id, item_id, created_at)
             SELECT auction_id, user_id, $3, $4 FROM members WHERE auction_id = $1 AND user_id = $2 ",
            $lock,
            " ON CONFLICT (auction_id, user_id, item_id) DO NOTHING"
        )
    };
}

/// Makes a member watch an item. Has no effect for other users.
pub async fn insert(
    conn: &mut Transaction,
    (auction_id, item_id): (AuctionId, ItemId),
    member: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query(Sql {
        sqlite: insert!(""),
        // Waits for a removal of the member, and then inserts nothing.
        postgres: insert!("FOR KEY SHARE"),
    })
    .bind(auction_id)
    .bind(member)
    .bind(item_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn delete(
    conn: &mut Transaction,
    (auction_id, item_id): (AuctionId, ItemId),
    member: UserId,
) -> Result<(), DbError> {
    query("DELETE FROM watches WHERE auction_id = $1 AND user_id = $2 AND item_id = $3")
        .bind(auction_id)
        .bind(member)
        .bind(item_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// The ids of `items` that the user watches.
pub async fn among(
    conn: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
    items: &[ItemId],
) -> Result<HashSet<ItemId>, DbError> {
    if items.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<(ItemId,)> = query(for_each_row!(
        "SELECT w.item_id FROM",
        [auction_id id, user_id id, item_id id],
        "JOIN watches w ON w.auction_id = given.auction_id AND w.user_id = given.user_id
             AND w.item_id = given.item_id"
    ))
    .bind(rows(items.iter().map(|item| (auction_id, user, *item)))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(item,)| item).collect())
}

/// Every member who watches the item.
pub async fn of_item(conn: &mut Connection, item_id: ItemId) -> Result<HashSet<UserId>, DbError> {
    let sql = "SELECT user_id FROM watches WHERE item_id = $1";
    let found: Vec<UserId> = query_scalar(sql).bind(item_id).fetch_all(conn).await?;
    Ok(found.into_iter().collect())
}
