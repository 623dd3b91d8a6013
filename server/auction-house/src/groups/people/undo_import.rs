//! Undoes an import of people, while nothing has changed whom it wrote: all of it, or nothing.

use std::collections::HashMap;

use accounts::groups::GroupPerson;
use accounts::groups::store as groups;
use accounts::user::store;
use accounts::{Accounts, Signal, signal};

use super::import::mark;
use crate::access::store::auctions_of;
use crate::codes;
use crate::context::Context;
use crate::events;
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, ImportId, UserId};
use crate::imports::{self, Import, ImportPlace, UndoneRefusal, WrittenRow};
use crate::people::delete::{EraseManagedError, erase_managed};
use crate::usage;
use platform::db::{Connection, DbError, Transaction};
use platform::ids::Id;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an import of people is not undone.
    pub enum UndoPeopleRefusal {
        Changed => codes::CHANGED, "A person of the import was changed, has signed in or taken part since: all of them stay.";
    }
    wraps { Undone(UndoneRefusal) }
}

/// Removes the people whom an import has added, and gives those their names back whom it has renamed. PINs
/// that it has set stay.
pub async fn undo_import(
    context: &Context,
    accounts: &Accounts,
    (group_id, user): (GroupId, UserId),
    import_id: ImportId,
) -> Result<Import, VerbError<UndoPeopleRefusal>> {
    let now = context.clock.now();
    let place = ImportPlace::all_of(group_id);
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    undoable(&mut conn, place, import_id).await?;
    let rows = imports::store::written_by(&mut conn, import_id).await?;
    let added = added(&rows);
    let others = auctions_of(&mut conn, &added).await?;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    context.work.charge(user, rows.len(), 0)?;
    let _turn = context.work.begin_large_write(user, rows.len()).await?;
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &others).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    undoable(&mut db, place, import_id).await?;
    if !is_unchanged(&mut db, group_id, &rows, now).await? || usage::any_took_part(&mut db, &added).await? {
        return Err(UndoPeopleRefusal::Changed.into());
    }
    let renamed: Vec<(UserId, &str)> =
        rows.iter().filter_map(|row| Some((UserId::of(row.subject), row.before.as_deref()?))).collect();
    restore(&mut db, &added, &renamed, now).await?;
    let mut touched = Vec::new();
    for auction in auctions.iter().filter(|_| !added.is_empty()) {
        touched.push(events::store::record_all(&mut db, auction.id, now).await?);
    }
    imports::store::set_undone(&mut db, import_id, user, now).await?;
    let import = imports::store::find(&mut db, place, import_id).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    rows.iter().for_each(|row| accounts.signals.publish(&Signal::User(UserId::of(row.subject))));
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(import)
}

async fn undoable(
    conn: &mut Connection,
    place: ImportPlace,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoPeopleRefusal>> {
    let import = place.undoable(conn, import_id).await;
    import.map_err(|error| error.map_refusal(UndoPeopleRefusal::Undone))
}

/// The people whom the import has added.
fn added(rows: &[WrittenRow]) -> Vec<UserId> {
    rows.iter().filter(|row| row.before.is_none()).map(|row| UserId::of(row.subject)).collect()
}

/// Whether all people are as the import has left them, and none whom it has added has signed in.
async fn is_unchanged(
    db: &mut Transaction,
    group_id: GroupId,
    rows: &[WrittenRow],
    now: Moment,
) -> Result<bool, DbError> {
    let people = groups::people(db, group_id, now).await?.into_iter();
    let people: HashMap<UserId, GroupPerson> = people.map(|person| (person.person.id, person)).collect();
    let cards = store::card_hashes(db, rows.iter().map(|row| UserId::of(row.subject))).await?;
    Ok(rows.iter().all(|row| {
        people.get(&UserId::of(row.subject)).is_some_and(|person| {
            mark(person, &cards) == row.mark && (row.before.is_some() || person.last_sign_in_at.is_none())
        })
    }))
}

async fn restore(
    db: &mut Transaction,
    added: &[UserId],
    renamed: &[(UserId, &str)],
    now: Moment,
) -> Result<(), VerbError<UndoPeopleRefusal>> {
    erase_managed(db, added, now).await.map_err(|error| match error {
        EraseManagedError::LeadsOpenItems => VerbError::Refused(UndoPeopleRefusal::Changed),
        EraseManagedError::Db(error) => error.into(),
    })?;
    store::set_names(db, renamed).await?;
    let ids: Vec<UserId> = renamed.iter().map(|(id, _)| *id).collect();
    Ok(signal::send_of_users(db, &ids).await?)
}
