//! Lists the items that a user sells or watches, newest first.

use super::views::{ItemInAuction, view_items};
use crate::ids::{ItemId, UserId};
use crate::usage;
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;

/// The items that the user sells.
pub async fn list_sold(
    conn: &mut Connection,
    user: UserId,
    page: Page<ItemId>,
    now: Moment,
) -> Result<Paged<ItemInAuction>, DbError> {
    let found = usage::items_sold(conn, user, page.after, page.rows(), now).await?;
    let ids = found.into_iter().map(|item| item.item_id).collect();
    viewed(conn, user, page, ids, now).await
}

/// The items that the user watches.
pub async fn list_watched(
    conn: &mut Connection,
    user: UserId,
    page: Page<ItemId>,
    now: Moment,
) -> Result<Paged<ItemInAuction>, DbError> {
    let found = usage::items_watched(conn, user, page.after, page.rows(), now).await?;
    let ids = found.into_iter().map(|item| item.item_id).collect();
    viewed(conn, user, page, ids, now).await
}

/// A page of these items. It has fewer items if the user may not see some of them.
async fn viewed(
    conn: &mut Connection,
    user: UserId,
    page: Page<ItemId>,
    ids: Vec<ItemId>,
    now: Moment,
) -> Result<Paged<ItemInAuction>, DbError> {
    let page = page.paged(ids, ItemId::to_string);
    let mut seen = view_items(conn, user, &page.entries, now).await?;
    Ok(page.filter_map(|id| seen.remove(&id)))
}
