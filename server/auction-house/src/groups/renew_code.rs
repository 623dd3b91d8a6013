//! Gives a group another code.

use std::convert::Infallible;

use accounts::groups::GroupView;
use accounts::groups::store as groups;
use accounts::locks::write_in_group;

use super::access::authorize_keeper;
use super::create::free_code;
use crate::context::Context;
use crate::ids::{GroupId, UserId};
use platform::verb::VerbError;

/// The code before signs nobody in from then on. Sessions stay.
pub async fn renew_code(
    context: &Context,
    group_id: GroupId,
    user: UserId,
) -> Result<GroupView, VerbError<Infallible>> {
    let now = context.clock.now();
    let mut db = write_in_group(&context.db, group_id).await?;
    let had = authorize_keeper(&mut db, group_id, user).await?;
    let code = free_code(&mut db).await?;
    groups::set_code(&mut db, group_id, &code, now).await?;
    db.commit().await?;
    Ok(GroupView { code, updated_at: now, ..had })
}
