//! The files that images of items refer to, in SQL.

use crate::ids::ItemId;
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
