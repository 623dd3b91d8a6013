//! Removes a person from a group, or lets the person leave. A managed user is erased.

use accounts::groups::store as groups;
use accounts::groups::{PersonKey, UNDO_UPGRADE_SECONDS};
use accounts::{Accounts, Signal};

use crate::access::store::{auctions_of, numbers};
use crate::codes;
use crate::context::Context;
use crate::events;
use crate::groups::GroupWrite;
use crate::groups::access::{authorize, authorize_keeper};
use crate::ids::{GroupId, UserId};
use crate::people::delete::{EraseManagedError, erase_managed};
use platform::db::DbError;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a person is not removed.
    pub enum RemovePersonRefusal {
        LastKeeper => codes::LAST_KEEPER, "The group needs a keeper: make another person its keeper first.";
        TooEarly => codes::TOO_EARLY, "The keepers of the group can undo your upgrade for a day: leave after that.";
        LeadsOpenItems => codes::LEADS_OPEN_ITEMS, "The person holds the highest bid on an open item, and can go once it is closed.";
    }
}

/// Ends the memberships of the group's open auctions. Another role than BIDDER stays. The code of the group
/// does not bring back a user whom a keeper has removed.
pub async fn remove_person(
    context: &Context,
    accounts: &Accounts,
    (group_id, user, key): (GroupId, UserId, PersonKey),
) -> Result<(), VerbError<RemovePersonRefusal>> {
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    drop(conn);
    end(context, accounts, (group_id, user, key)).await
}

/// Leaves the group by the user's own act.
pub async fn leave_group(
    context: &Context,
    accounts: &Accounts,
    (group_id, user): (GroupId, UserId),
) -> Result<(), VerbError<RemovePersonRefusal>> {
    let mut conn = context.db.read().await?;
    authorize(&mut conn, group_id, user).await?;
    drop(conn);
    end(context, accounts, (group_id, user, PersonKey::User(user))).await
}

/// Ends the membership of a person, who is the user, or whom a keeper removes.
async fn end(
    context: &Context,
    accounts: &Accounts,
    (group_id, user, key): (GroupId, UserId, PersonKey),
) -> Result<(), VerbError<RemovePersonRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    let found = groups::person(&mut conn, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    let removed = found.person.id;
    let others = if found.is_managed { auctions_of(&mut conn, &[removed]).await? } else { Vec::new() };
    drop(conn);
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &others).await?;
    if removed == user {
        authorize(&mut db, group_id, user).await?;
    } else {
        authorize_keeper(&mut db, group_id, user).await?;
    }
    let person = groups::person(&mut db, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    if (person.person.id, person.is_managed) != (removed, found.is_managed) {
        return Err(DbError::Overtaken.into());
    }
    let ids: Vec<_> = auctions.iter().map(|auction| auction.id).collect();
    if person.is_managed {
        erase_managed(&mut db, &[removed], now).await.map_err(|error| match error {
            EraseManagedError::LeadsOpenItems => VerbError::Refused(RemovePersonRefusal::LeadsOpenItems),
            EraseManagedError::Db(error) => error.into(),
        })?;
    } else {
        let can_be_undone = person.upgraded_at.is_some_and(|at| at.plus_seconds(UNDO_UPGRADE_SECONDS) > now);
        if removed == user && can_be_undone {
            return Err(RemovePersonRefusal::TooEarly.into());
        }
        if person.role.keeps() && !groups::has_other_keeper(&mut db, group_id, removed).await? {
            return Err(RemovePersonRefusal::LastKeeper.into());
        }
        groups::leave(&mut db, group_id, removed).await?;
        if removed != user {
            groups::removed::insert(&mut db, group_id, removed, now).await?;
        }
        numbers::leave(&mut db, &ids, &[removed]).await?;
    }
    let mut touched = Vec::new();
    for auction_id in ids {
        touched.push(events::store::record_all(&mut db, auction_id, now).await?);
    }
    db.commit().await?;
    accounts.signals.publish(&Signal::User(removed));
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(())
}
