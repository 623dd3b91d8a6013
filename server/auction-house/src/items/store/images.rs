//! The files that images of items refer to, in SQL.

use crate::ids::{AuctionId, ItemId};
use crate::images::{Content, Image};
use platform::db::{Connection, DbError, Json, query};

/// Items of one reading.
const ITEMS_MAX: usize = 1000;

/// The contents of the images of the next items after `after`, and the last of these items; without one there
/// are no more.
pub async fn contents(
    conn: &mut Connection,
    after: Option<ItemId>,
) -> Result<(Vec<Content>, Option<ItemId>), DbError> {
    let found: Vec<(ItemId, Json<Vec<Image>>)> = query(
        "SELECT id, images FROM items WHERE images <> '[]' AND ($1 IS NULL OR id > $1) ORDER BY id LIMIT $2",
    )
    .bind(after)
    .bind(i64::try_from(ITEMS_MAX).unwrap_or(i64::MAX))
    .fetch_all(conn)
    .await?;
    let last = found.last().filter(|_| found.len() == ITEMS_MAX).map(|(id, _)| *id);
    let images = found.into_iter().flat_map(|(_, images)| images.0);
    Ok((images.map(|image| image.content).collect(), last))
}

/// The first picture of each of the first `limit` published items of an auction that have one.
pub async fn first_of_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: i64,
) -> Result<Vec<Image>, DbError> {
    let found: Vec<(Json<Vec<Image>>,)> = query(
        "SELECT images FROM items WHERE auction_id = $1 AND is_published AND images <> '[]'
         ORDER BY lot_key LIMIT $2",
    )
    .bind(auction_id)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().filter_map(|(images,)| images.0.into_iter().next()).collect())
}
