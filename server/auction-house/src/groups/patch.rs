//! Changes a group.

use std::convert::Infallible;

use accounts::groups::GroupView;
use accounts::groups::store as groups;
use accounts::locks::write_in_group;

use super::access::authorize_keeper;
use super::create::GroupBody;
use crate::context::Context;
use crate::ids::{GroupId, UserId};
use platform::body::Body;
use platform::shape;
use platform::verb::VerbError;

/// Applies a merge patch.
pub async fn patch_group(
    context: &Context,
    group_id: GroupId,
    user: UserId,
    patch: impl Body,
) -> Result<GroupView, VerbError<Infallible>> {
    let now = context.clock.now();
    let mut db = write_in_group(&context.db, group_id).await?;
    let had = authorize_keeper(&mut db, group_id, user).await?;
    let before = GroupBody { name: had.name.clone(), joinable: had.joinable };
    let GroupBody { name, joinable } = shape::parse(shape::write(&before).patched(patch.read()?))?;
    if (&name, joinable) == (&had.name, had.joinable) {
        return Ok(had);
    }
    groups::update(&mut db, group_id, &name, joinable, now).await?;
    db.commit().await?;
    Ok(GroupView { name, joinable, updated_at: now, ..had })
}
