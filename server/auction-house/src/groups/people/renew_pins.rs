//! Gives managed users of a group new PINs.

use accounts::credentials::Credentials;
use accounts::groups::store as groups;
use accounts::groups::store::number_failures;
use accounts::groups::{CardKeys, GroupCode, PersonNumber};
use accounts::hashing::HashError;
use accounts::session::store as sessions;
use accounts::user::store;
use accounts::{Accounts, Signal, signal};

use super::add::{WithKeys, with_keys};
use super::pins::credentials;
use crate::context::Context;
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, UserId};
use platform::db::{Connection, DbError, Transaction};
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why no PIN is renewed.
    pub enum RenewPinsRefusal {}
    holds { Hash(HashError) }
}

/// Draws a new PIN for these people, or for all without a list. Users with an e-mail have none. Sessions end.
pub async fn renew_pins(
    context: &Context,
    accounts: &Accounts,
    (group_id, user): (GroupId, UserId),
    numbers: Option<&[PersonNumber]>,
) -> Result<Vec<WithKeys>, VerbError<RenewPinsRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    let people = chosen(&mut conn, group_id, numbers, now).await?;
    drop(conn);
    context.work.charge_hashes(user, people.len())?;
    let keys =
        people.iter().map(|_| CardKeys::new()).collect::<Result<Vec<_>, _>>().map_err(DbError::from)?;
    let hashed = credentials(accounts, user, &keys).await.map_err(RenewPinsRefusal::Hash)?;

    let _turn = context.work.begin_large_write(user, people.len()).await?;
    let GroupWrite { mut db, .. } = GroupWrite::begin(context, group_id, &[]).await?;
    let seen = authorize_keeper(&mut db, group_id, user).await?;
    if chosen(&mut db, group_id, numbers, now).await? != people {
        return Err(DbError::Overtaken.into());
    }
    let renewed = people.iter().zip(hashed).map(|((number, id), hashed)| (*number, *id, hashed));
    renew(&mut db, &seen.code, &renewed.collect::<Vec<_>>()).await?;
    let ids: Vec<UserId> = people.iter().map(|(_, id)| *id).collect();
    signal::send_of_users(&mut db, &ids).await?;
    // Before the commit: a failure would lose the PINs, which are shown once.
    let mut found = groups::people(&mut db, group_id, now).await?;
    db.commit().await?;
    ids.iter().for_each(|id| accounts.signals.publish(&Signal::User(*id)));
    found.retain(|person| ids.contains(&person.person.id));
    let set: Vec<_> = people.into_iter().zip(keys).map(|((number, id), keys)| (number, id, keys)).collect();
    Ok(with_keys(found, &set))
}

/// Gives managed users of the group with this code new credentials. Their sessions end, and what failed
/// before counts no more.
pub(super) async fn renew(
    db: &mut Transaction,
    code: &GroupCode,
    renewed: &[(PersonNumber, UserId, Credentials)],
) -> Result<(), DbError> {
    let credentials: Vec<_> = renewed.iter().map(|(_, id, credentials)| (*id, credentials)).collect();
    store::set_all_credentials(db, &credentials).await?;
    let numbers: Vec<_> = renewed.iter().map(|(number, ..)| *number).collect();
    number_failures::delete_of_numbers(db, code, &numbers).await?;
    let ids: Vec<_> = renewed.iter().map(|(_, id, _)| *id).collect();
    sessions::delete_all_of(db, &ids).await
}

async fn chosen(
    conn: &mut Connection,
    group_id: GroupId,
    numbers: Option<&[PersonNumber]>,
    now: Moment,
) -> Result<Vec<(PersonNumber, UserId)>, DbError> {
    let people = groups::people(conn, group_id, now).await?.into_iter().filter(|person| person.is_managed);
    let people = people.filter_map(|person| Some((person.number?, person.person.id)));
    Ok(people.filter(|(number, _)| numbers.is_none_or(|numbers| numbers.contains(number))).collect())
}
