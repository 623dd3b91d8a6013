//! Authorization for a group. Every resource within a group is authorized here first.

use accounts::groups::store as groups;
use accounts::groups::{GroupRole, GroupView};

use crate::ids::{GroupId, UserId};
use platform::db::Connection;
use platform::verb::AccessError;

/// The group, for its people.
pub async fn authorize(
    conn: &mut Connection,
    group_id: GroupId,
    viewer: UserId,
) -> Result<GroupView, AccessError> {
    groups::find(conn, group_id, viewer).await?.ok_or(AccessError::NotFound)
}

/// The group, for its keepers.
pub async fn authorize_keeper(
    conn: &mut Connection,
    group_id: GroupId,
    viewer: UserId,
) -> Result<GroupView, AccessError> {
    let seen = authorize(conn, group_id, viewer).await?;
    if seen.role == GroupRole::Keeper { Ok(seen) } else { Err(AccessError::Forbidden) }
}
