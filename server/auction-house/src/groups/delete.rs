//! Deletes a group with its managed users.

use accounts::groups::store as groups;
use accounts::{Accounts, Signal};

use super::GroupWrite;
use super::access::authorize_keeper;
use crate::access::store::{auctions_of, numbers};
use crate::auctions::store::{forget_group, of_group};
use crate::codes;
use crate::context::Context;
use crate::ids::{GroupId, UserId};
use crate::imports;
use crate::people::delete::{EraseManagedError, erase_managed};
use crate::usage;
use platform::db::DbError;
use platform::refusals;
use platform::verb::VerbError;

/// Rows of imports that one statement deletes.
const ROWS_OF_A_STATEMENT: usize = 1_000;

refusals! {
    /// Why a group is not deleted.
    pub enum DeleteGroupRefusal {
        InUse => codes::IN_USE, "An open auction has the group: close it, or choose another group for it, first.";
        LeadsOpenItems => codes::LEADS_OPEN_ITEMS, "Somebody without an e-mail in this group holds the highest bid on an open item.";
    }
}

/// Erases the managed users like deleted accounts. Others leave.
pub async fn delete_group(
    context: &Context,
    accounts: &Accounts,
    group_id: GroupId,
    user: UserId,
) -> Result<(), VerbError<DeleteGroupRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    let managed = groups::managed(&mut conn, group_id).await?;
    let mut others = auctions_of(&mut conn, &managed).await?;
    others.extend(of_group(&mut conn, group_id).await?);
    let people = usage::rows_together(&mut conn, None, Some(group_id)).await?;
    let rows = people.max(imports::store::written_rows(&mut conn, group_id).await?);
    drop(conn);
    let _turn = context.work.begin_large_write(user, rows).await?;
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &others).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    if groups::managed(&mut db, group_id).await? != managed {
        return Err(DbError::Overtaken.into());
    }
    if !auctions.is_empty() {
        return Err(DeleteGroupRefusal::InUse.into());
    }
    erase_managed(&mut db, &managed, now).await.map_err(|error| match error {
        EraseManagedError::LeadsOpenItems => VerbError::Refused(DeleteGroupRefusal::LeadsOpenItems),
        EraseManagedError::Db(error) => error.into(),
    })?;
    for auction_id in of_group(&mut db, group_id).await? {
        numbers::clear(&mut db, auction_id).await?;
    }
    forget_group(&mut db, group_id, now).await?;
    while !imports::store::delete_part(&mut db, group_id, ROWS_OF_A_STATEMENT).await? {}
    groups::delete(&mut db, group_id).await?;
    db.commit().await?;
    for user in managed {
        accounts.signals.publish(&Signal::User(user));
    }
    Ok(())
}
