//! People whom a keeper has removed from a group: the code lets them back in once a keeper allows it.

use std::convert::Infallible;

use accounts::groups::store::removed as store;
use accounts::groups::{GroupView, RemovedPerson};
use accounts::locks::write_in_group;

use super::access::authorize_keeper;
use crate::context::Context;
use crate::ids::{GroupId, UserId};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::verb::VerbError;

/// The users who were removed, by their ids.
pub async fn list_removed(
    conn: &mut Connection,
    seen: &GroupView,
    page: Page<UserId>,
) -> Result<Paged<RemovedPerson>, DbError> {
    let found = store::list(conn, seen.id, page.after, page.rows()).await?;
    Ok(page.paged(found, |removed| removed.person.id.to_string()))
}

/// Lets a user who was removed join the group with its code again. The user comes back by that act alone.
///
/// # Errors
/// `NotFound` for a user whom nobody has removed.
pub async fn readmit(
    context: &Context,
    group_id: GroupId,
    user: UserId,
    removed: UserId,
) -> Result<(), VerbError<Infallible>> {
    let mut db = write_in_group(&context.db, group_id).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    if !store::forget(&mut db, group_id, removed).await? {
        return Err(VerbError::NotFound);
    }
    Ok(db.commit().await?)
}
