//! Opens all numbers of a group for a while, so that wrong PINs of one person keep nobody else out.

use std::convert::Infallible;

use accounts::groups::store as groups;
use accounts::groups::store::number_failures;
use accounts::locks::write_in_group;
use accounts::sign_in_by_number::OPEN_SECONDS;

use super::access::authorize_keeper;
use crate::context::Context;
use crate::ids::{GroupId, UserId};
use platform::verb::VerbError;

/// Clears the failures of all numbers, and lets nobody lock one for ten minutes.
pub async fn open_numbers(
    context: &Context,
    group_id: GroupId,
    user: UserId,
) -> Result<(), VerbError<Infallible>> {
    let until = context.clock.now().plus_seconds(OPEN_SECONDS);
    let mut db = write_in_group(&context.db, group_id).await?;
    let seen = authorize_keeper(&mut db, group_id, user).await?;
    number_failures::delete_of_code(&mut db, &seen.code).await?;
    groups::set_open(&mut db, group_id, until).await?;
    Ok(db.commit().await?)
}
