//! Adds and changes managed users from a table: all rows or none. The table is read on a thread of low
//! priority, before the transaction.

use std::collections::HashMap;

use accounts::credentials::Credentials;
use accounts::groups::store as groups;
use accounts::groups::{CardKeys, GroupPerson, GroupPlace, PersonNumber};
use accounts::hashing::HashError;
use accounts::locks::write_in_group;
use accounts::name::PersonName;
use accounts::user::store;
use accounts::{Accounts, Signal, signal};

use super::add::{AddPeopleRefusal, NewPerson, Numbered, WithKeys, replayed, with_keys};
use super::pins::credentials;
use super::plan::{ImportAction, PeoplePlan, PeopleTable, Planned};
use super::renew_pins::renew;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, ImportId, ListId, UserId};
use crate::imports::{self, Counts, ImportPlace, NewImport, Repeat, WrittenRow};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::ids::Id;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::table::{Reading, TEXT_BYTES_MAX, fingerprint, listed};
use platform::time::Moment;
use platform::verb::VerbError;

/// The table as a body.
#[derive(Debug, Clone, Default)]
pub struct ImportPeopleBody {
    csv: String,
}

impl Shape for ImportPeopleBody {
    const NAME: &'static str = "GroupImport";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("csv", 1..=TEXT_BYTES_MAX, &mut self.csv);
    }
}

refusals! {
    /// Why nobody is imported.
    pub enum ImportPeopleRefusal {}
    wraps { Add(AddPeopleRefusal) }
    holds { Hash(HashError) }
}

/// People whom an import has added or changed.
#[derive(Debug, Clone)]
pub struct ImportedPeople {
    /// None if nobody was.
    pub id: Option<ImportId>,
    pub people: Vec<WithKeys>,
}

impl ImportedPeople {
    /// The people of an earlier request, without their PINs.
    async fn replayed(
        db: &mut Transaction,
        group_id: GroupId,
        list: ListId,
        now: Moment,
    ) -> Result<Self, DbError> {
        let people = replayed(db, group_id, list, now).await?;
        // An import has the id of its list.
        let id = ImportId::of(list.uuid());
        let import = imports::store::find(db, ImportPlace::all_of(group_id), id).await?;
        Ok(Self { id: import.map(|import| import.id), people })
    }
}

/// Adds a managed user for each row whose number nobody has, and changes name or PIN of the others.
pub async fn import_people(
    context: &Context,
    accounts: &Accounts,
    (group_id, user): (GroupId, UserId),
    (reading, repeat): (Reading, Repeat),
    body: impl Body + 'static,
) -> Result<Created<ImportedPeople>, VerbError<ImportPeopleRefusal>> {
    let (now, collection) = (context.clock.now(), format!("group-imports/{group_id}"));
    authorize_keeper(&mut context.db.read().await?, group_id, user).await?;
    let permit = context.work.begin_bulk_write(user).await?;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let ImportPeopleBody { csv } = shape::parse(body.read()?)?;
        let rows = csv.lines().count();
        Ok::<_, VerbError<ImportPeopleRefusal>>((keyed?, csv, rows))
    });
    let (keyed, csv, rows) = read.await??;
    context.work.charge(user, rows, csv.len())?;
    // A replay does not wait for hashes.
    let mut db = write_in_group(&context.db, group_id).await?;
    let creation = Creation::find(&mut db, user, collection.clone(), keyed.clone(), now).await?;
    creation.require_key()?;
    if let Some(list) = creation.replays() {
        return Ok(Created::replayed(ImportedPeople::replayed(&mut db, group_id, list, now).await?));
    }
    creation.check_key()?;
    drop(db);
    let place = ImportPlace::all_of(group_id);
    let people = groups::people(&mut context.db.read().await?, group_id, now).await?;
    let planned = context.work.compute(move || {
        let table = PeopleTable::read(&csv, &reading)?;
        Ok::<_, FieldError>((table.plan(&people), people))
    });
    let (plan, people) = planned.await?.map_err(|error| vec![error])?;
    place.require_new(&mut context.db.read().await?, plan.hash.as_ref(), repeat).await?;
    if !plan.errors.is_empty() {
        return Err(listed(plan.errors).into());
    }
    let drawn = plan.rows.iter().map(keys_of).collect::<Result<Vec<_>, _>>()?;
    let keys: Vec<CardKeys> = drawn.iter().flatten().cloned().collect();
    context.work.charge_hashes(user, keys.len())?;
    // Imports of others go on while these are hashed.
    drop(permit);
    let hashed = credentials(accounts, user, &keys).await.map_err(ImportPeopleRefusal::Hash)?;

    let _permit = context.work.begin_bulk_write(user).await?;
    let _turn = context.work.begin_large_write(user, plan.rows.len()).await?;
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &[]).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    let creation = Creation::find(&mut db, user, collection, keyed, now).await?;
    if let Some(list) = creation.replays() {
        return Ok(Created::replayed(ImportedPeople::replayed(&mut db, group_id, list, now).await?));
    }
    creation.check_key()?;
    place.require_new(&mut db, plan.hash.as_ref(), repeat).await?;
    let planned_for = people;
    let people = groups::people(&mut db, group_id, now).await?;
    if !planned_for.iter().map(basis).eq(people.iter().map(basis)) {
        // The group has changed since.
        return Err(DbError::Overtaken.into());
    }
    let list = ListId::new(now);
    let mut counts = Counts::default();
    let (mut added, mut added_hashed) = (Vec::new(), Vec::new());
    let (mut set, mut changed, mut renewed) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = HashMap::new();
    let mut hashed = hashed.into_iter();
    for (planned, keys) in plan.rows.into_iter().zip(drawn) {
        let credentials = if keys.is_some() { hashed.next() } else { None };
        match (&planned.had, keys, credentials) {
            (None, Some(keys), Some(credentials)) => {
                let Planned { number, name, .. } = planned;
                added.push(NewPerson { number, name, keys });
                added_hashed.push(credentials);
            }
            (Some((id, had)), keys, credentials) if planned.action() == ImportAction::Change => {
                // Who has a PIN has a number.
                let number = planned.number;
                set.extend(number.zip(keys).map(|(number, keys)| (number, *id, keys)));
                renewed.extend(number.zip(credentials).map(|(number, hash)| (number, *id, hash)));
                changed.push((*id, planned.name));
                before.insert(*id, had.clone());
            }
            _ => counts.unchanged += 1,
        }
    }
    counts.created = u32::try_from(added.len()).unwrap_or(u32::MAX);
    counts.changed = u32::try_from(changed.len()).unwrap_or(u32::MAX);
    change(&mut db, group_id, &changed, &renewed).await?;
    let changed: Vec<UserId> = changed.into_iter().map(|(id, _)| id).collect();
    let present: Vec<GroupPlace> = people.iter().map(GroupPerson::place).collect();
    let numbered = Numbered::of(&added, &present).map_err(ImportPeopleRefusal::Add)?;
    let inserted = numbered.insert((&mut db, now), (group_id, &auctions), added_hashed, list).await;
    let inserted = inserted.map_err(|error| error.map_refusal(ImportPeopleRefusal::Add))?;
    groups::set_list(&mut db, group_id, &changed, list).await?;
    creation.record(&mut db, list, now).await?;
    // Before the commit: a failure would lose the PINs, which are shown once.
    let people = groups::people_of_list(&mut db, group_id, list, now).await?;
    let id = match plan.hash.filter(|_| !people.is_empty()) {
        Some(hash) => {
            let id = ImportId::of(list.uuid());
            let import = NewImport { id, hash: &hash, by: user, counts, entries: None };
            let written = written(&mut db, &people, &before).await?;
            imports::store::keep(&mut db, group_id, import, &written, now).await?;
            Some(id)
        }
        None => None,
    };
    db.commit().await?;
    changed.iter().for_each(|id| accounts.signals.publish(&Signal::User(*id)));
    inserted.touched.iter().for_each(|signal| context.events.publish(signal));
    set.extend(inserted.added);
    Ok(Created::new(ImportedPeople { id, people: with_keys(people, &set) }))
}

/// Returns what the import of a body would do, without doing it.
pub async fn preview_import(
    context: &Context,
    keeper: (GroupId, UserId),
    reading: Reading,
    text: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<PeoplePlan, Problem> {
    let (group_id, user) = keeper;
    authorize_keeper(&mut context.db.read().await?, group_id, user).await?;
    let csv = context.work.compute(text).await??;
    preview(context, keeper, (csv, reading), context.clock.now()).await
}

/// Returns what the import of a table would do, without doing it.
pub async fn preview(
    context: &Context,
    keeper: (GroupId, UserId),
    (csv, reading): (String, Reading),
    now: Moment,
) -> Result<PeoplePlan, Problem> {
    let (_, user) = keeper;
    let counted = context.work.compute(move || {
        let rows = csv.lines().count();
        (csv, rows)
    });
    let (csv, rows) = counted.await?;
    context.work.charge(user, rows, csv.len())?;
    preview_refused(context, keeper, (csv, reading), now).await
}

/// Returns what the import of a table would do whose rows were counted when it was refused.
pub async fn preview_refused(
    context: &Context,
    (group_id, user): (GroupId, UserId),
    (csv, reading): (String, Reading),
    now: Moment,
) -> Result<PeoplePlan, Problem> {
    let table = context.work.compute(move || PeopleTable::read(&csv, &reading)).await?;
    let table = table.map_err(|error| Problem::fields(vec![error]))?;
    let mut db = context.db.read().await?;
    authorize_keeper(&mut db, group_id, user).await?;
    let people = groups::people(&mut db, group_id, now).await?;
    drop(db);
    let mut plan = context.work.compute(move || table.plan(&people)).await?;
    let mut db = context.db.read().await?;
    plan.imported_before = ImportPlace::all_of(group_id).imported_before(&mut db, plan.hash.as_ref()).await?;
    Ok(plan)
}

/// The PIN that a row sets, with a card: that of the table, or a new one for a new person.
fn keys_of(planned: &Planned) -> Result<Option<CardKeys>, DbError> {
    match (&planned.pin, planned.action()) {
        (Some(pin), _) => Ok(Some(CardKeys::of(pin.clone())?)),
        (None, ImportAction::Create) => Ok(Some(CardKeys::new()?)),
        (None, ImportAction::Change | ImportAction::None) => Ok(None),
    }
}

/// The people whom an import has written, with their state after that and the names that they had.
async fn written(
    db: &mut Transaction,
    people: &[GroupPerson],
    before: &HashMap<UserId, String>,
) -> Result<Vec<WrittenRow>, DbError> {
    let cards = store::card_hashes(db, people.iter().map(|person| person.person.id)).await?;
    let row = |person: &GroupPerson| {
        let id = person.person.id;
        WrittenRow { subject: id.uuid(), mark: mark(person, &cards), before: before.get(&id).cloned() }
    };
    Ok(people.iter().map(row).collect())
}

/// The state of a person that a keeper, or the person, can change. A new PIN comes with a new card. The name
/// is no part of it as it is: nothing remains here of a deleted user.
pub(super) fn mark(person: &GroupPerson, cards: &HashMap<UserId, String>) -> String {
    let card = cards.get(&person.person.id).map(String::as_str).unwrap_or_default();
    let GroupPerson { number, role, is_managed, is_disabled, .. } = person;
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    let state = format!("{number} {role} {is_managed} {is_disabled} {card} {}", person.person.name);
    fingerprint(&state, "")
}

/// The part of a person on which the plan of a table depends.
fn basis(person: &GroupPerson) -> (GroupPlace, &str, bool) {
    (person.place(), &person.person.name, person.is_managed)
}

/// Changes names and PINs of managed users. A new PIN ends the sessions.
async fn change(
    db: &mut Transaction,
    group_id: GroupId,
    changed: &[(UserId, Option<PersonName>)],
    renewed: &[(PersonNumber, UserId, Credentials)],
) -> Result<(), DbError> {
    let names = changed.iter().filter_map(|(id, name)| name.as_ref().map(|name| (*id, name.as_str())));
    store::set_names(db, &names.collect::<Vec<_>>()).await?;
    if let Some(code) = groups::code(db, group_id).await?.filter(|_| !renewed.is_empty()) {
        renew(db, &code, renewed).await?;
    }
    let ids: Vec<UserId> = changed.iter().map(|(id, _)| *id).collect();
    signal::send_of_users(db, &ids).await
}
