//! Changes a person of a group: the number and the role of anybody, and what a managed user can't change.

use std::fmt;
use std::str::FromStr;

use accounts::groups::store as groups;
use accounts::groups::store::number_failures;
use accounts::groups::{CardKeys, GroupPerson, GroupRole, NotAPin, PersonKey, PersonNumber, Pin};
use accounts::hashing::HashError;
use accounts::locks::lock_account;
use accounts::name::{PersonName, TypedName};
use accounts::session::store as sessions;
use accounts::user::store;
use accounts::{Accounts, Signal, signal};

use super::add::{WithKeys, default_name};
use super::pins::credentials;
use crate::access::store::numbers;
use crate::codes;
use crate::context::Context;
use crate::events;
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, UserId};
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction};
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

/// A new PIN: a random one, or these digits.
#[derive(Debug, Clone)]
enum PinChange {
    New,
    Digits(Pin),
}

impl FromStr for PinChange {
    type Err = NotAPin;

    fn from_str(text: &str) -> Result<Self, NotAPin> {
        if text == "NEW" { Ok(Self::New) } else { text.parse().map(Self::Digits) }
    }
}

/// Never written: a patch has it as it is.
impl fmt::Display for PinChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NEW")
    }
}

/// A change of a person. What is absent stays.
#[derive(Debug, Clone, Default)]
pub struct PersonPatchBody {
    number: Option<i64>,
    name: Option<TypedName>,
    disabled: Option<bool>,
    pin: Option<PinChange>,
    role: Option<GroupRole>,
}

impl Shape for PersonPatchBody {
    const NAME: &'static str = "GroupPersonChange";

    fn members(&mut self, members: &mut Members<'_>) {
        members.optional_integer("number", PersonNumber::BOUNDS, &mut self.number);
        members.parsed_change("name", &mut self.name).length(&PersonName::CHARS).about("Of a managed user.");
        members
            .flag_change("disabled", &mut self.disabled)
            .about("The number signs nobody in. A managed user's sessions end.");
        members
            .parsed_change("pin", &mut self.pin)
            .about("Of a managed user: `NEW`, for a random one, or 4–8 digits. Sessions end.");
        members.parsed_change("role", &mut self.role).of::<GroupRole>().about("Of a user with an e-mail.");
    }
}

refusals! {
    /// Why a person is not changed.
    pub enum ChangePersonRefusal {
        NumberTaken => codes::NUMBER_TAKEN, "The number belongs to another person of the group.";
        LastKeeper => codes::LAST_KEEPER, "The group needs a keeper: make another person its keeper first.";
    }
    holds { Hash(HashError) }
}

/// A new PIN, or `disabled`, ends the sessions of a managed user.
pub async fn change_person(
    context: &Context,
    accounts: &Accounts,
    (group_id, user, key): (GroupId, UserId, PersonKey),
    patch: impl Body,
) -> Result<WithKeys, VerbError<ChangePersonRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    let found = groups::person(&mut conn, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    let patch: PersonPatchBody = shape::parse(patch.read()?)?;
    check(&patch, found.is_managed)?;
    // What is refused costs no hash.
    judge(&mut conn, group_id, &patch, &found, now).await?;
    drop(conn);
    let keys = match patch.pin.clone() {
        Some(PinChange::New) => Some(CardKeys::new()),
        Some(PinChange::Digits(pin)) => Some(CardKeys::of(pin)),
        None => None,
    };
    let keys = keys.transpose().map_err(DbError::from)?;
    let hashed = credentials(accounts, user, keys.as_slice()).await.map_err(ChangePersonRefusal::Hash)?;

    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &[]).await?;
    let seen = authorize_keeper(&mut db, group_id, user).await?;
    let before = groups::person(&mut db, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    lock_account(&mut db, before.person.id).await?;
    check(&patch, before.is_managed)?;
    let after = judge(&mut db, group_id, &patch, &before, now).await?;
    groups::update_person(&mut db, group_id, &after, now).await?;
    if after.person.name != before.person.name {
        store::set_name(&mut db, after.person.id, &after.person.name).await?;
    }
    let ids: Vec<_> = auctions.iter().map(|auction| auction.id).collect();
    let mut touched = Vec::new();
    if after.number != before.number {
        numbers::change(&mut db, &ids, after.person.id, after.number).await?;
        for auction_id in ids {
            touched.push(events::store::record_all(&mut db, auction_id, now).await?);
        }
    }
    if let Some(credentials) = hashed.into_iter().next() {
        store::set_credentials(&mut db, after.person.id, &credentials).await?;
    }
    if keys.is_some() || patch.disabled == Some(false) {
        let numbers: Vec<_> = before.number.into_iter().chain(after.number).collect();
        number_failures::delete_of_numbers(&mut db, &seen.code, &numbers).await?;
    }
    if before.is_managed && (keys.is_some() || patch.disabled == Some(true)) {
        end_sessions(&mut db, after.person.id).await?;
    }
    signal::send(&mut db, &Signal::User(after.person.id)).await?;
    let whom = PersonKey::User(after.person.id);
    let person = groups::person(&mut db, group_id, whom, now).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(after.person.id));
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(WithKeys { person, keys })
}

async fn end_sessions(db: &mut Transaction, user: UserId) -> Result<(), DbError> {
    sessions::delete_others(db, user, None).await
}

/// A managed user has no role, and a user with an e-mail has neither a name nor a PIN of the keeper.
fn check(patch: &PersonPatchBody, is_managed: bool) -> Result<(), Vec<FieldError>> {
    let (name, pin, role) = (patch.name.is_some(), patch.pin.is_some(), patch.role.is_some());
    let wrong = match is_managed {
        true => vec![("role", role && patch.role != Some(GroupRole::Person), "is for users with an e-mail")],
        false => vec![("name", name, "is the user's own"), ("pin", pin, "is for users without an e-mail")],
    };
    let errors = wrong.into_iter().filter(|(_, is_wrong, _)| *is_wrong);
    let errors: Vec<_> = errors.map(|(path, _, message)| FieldError::new(path, message)).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The person after the change, unless it is refused.
async fn judge(
    conn: &mut Connection,
    group_id: GroupId,
    patch: &PersonPatchBody,
    before: &GroupPerson,
    now: Moment,
) -> Result<GroupPerson, VerbError<ChangePersonRefusal>> {
    let mut after = apply(patch, before)?;
    if after.number.is_none() && !after.role.keeps() {
        // Only keepers need no number.
        let places = groups::places(conn, group_id).await?;
        let taken: Vec<_> = places.into_iter().filter_map(|place| place.number).collect();
        after.number = PersonNumber::lowest_free(&taken).next();
    }
    if let Some(number) = after.number.filter(|_| after.number != before.number)
        && groups::person(conn, group_id, PersonKey::Number(number), now).await?.is_some()
    {
        return Err(ChangePersonRefusal::NumberTaken.into());
    }
    let gives_up = before.role.keeps() && !after.role.keeps();
    if gives_up && !groups::has_other_keeper(conn, group_id, before.person.id).await? {
        return Err(ChangePersonRefusal::LastKeeper.into());
    }
    Ok(after)
}

/// A name that says the number follows the number.
fn apply(patch: &PersonPatchBody, before: &GroupPerson) -> Result<GroupPerson, Vec<FieldError>> {
    let mut after = before.clone();
    if let Some(number) = patch.number.and_then(|number| number.try_into().ok()) {
        after.number = Some(number);
    }
    let present = before.person.name.as_str();
    if let Some(name) = patch.name.clone() {
        let name = name.of_user(present, after.number.as_slice());
        after.person.name = name
            .map(PersonName::into_string)
            .map_err(|error| vec![FieldError::new("name", error.to_string())])?;
    }
    if let (Some(number), Some(next)) = (before.number, after.number)
        && before.is_managed
        && after.person.name == default_name(number)
    {
        after.person.name = default_name(next);
    }
    after.is_disabled = patch.disabled.unwrap_or(after.is_disabled);
    after.role = patch.role.unwrap_or(after.role);
    Ok(after)
}
