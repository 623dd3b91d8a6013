//! Adds managed users to a group: all of a list or none.

use std::collections::HashSet;

use accounts::Accounts;
use accounts::credentials::Credentials;
use accounts::groups::{GroupPerson, GroupRole, PEOPLE_MAX, PersonNumber, Pin};
use accounts::hashing::HashError;
use accounts::locks::write_in_group;
use accounts::name::PersonName;
use accounts::store::{self, groups};

use super::pins::credentials;
use crate::auctions::group;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, ListId, UserId};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::FieldError;
use platform::net::ClientAddress;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

/// People of one request, at most.
const PEOPLE_OF_REQUEST: usize = 500;

/// A managed user who is to be created.
#[derive(Debug, Clone, Default)]
pub struct PersonBody {
    pub(super) number: Option<i64>,
    pub(super) name: Option<PersonName>,
    pub(super) pin: Option<Pin>,
}

impl Shape for PersonBody {
    const NAME: &'static str = "NewGroupPerson";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .optional_integer("number", PersonNumber::BOUNDS, &mut self.number)
            .about("By default the lowest free one.");
        members
            .parsed("name", &mut self.name)
            .length(&PersonName::CHARS)
            .about("By default `Number 17`, with the number.");
        members.optional_secret("pin", &mut self.pin).about("4–8 digits, by default 6 random ones.");
    }
}

/// The people to be added.
#[derive(Debug, Clone, Default)]
pub struct PeopleBody {
    people: Vec<PersonBody>,
}

impl Shape for PeopleBody {
    const NAME: &'static str = "NewGroupPeople";

    fn members(&mut self, members: &mut Members<'_>) {
        members.list("people", &mut self.people);
    }
}

refusals! {
    /// Why nobody is added.
    pub enum AddPeopleRefusal {
        NumberTaken => codes::NUMBER_TAKEN, "The number belongs to another person of the group.";
        Full => codes::LIMIT_REACHED, "A group has at most 2,000 people.";
        BookFull => codes::LIMIT_REACHED, "A book of the group's auctions would have more than 10,000 holders.";
    }
    holds { Hash(HashError) }
}

/// A person with the PIN that was set. None in a replay: a PIN is returned once.
#[derive(Debug, Clone)]
pub struct WithPin {
    pub person: GroupPerson,
    pub pin: Option<Pin>,
}

/// A person who is to be added. Without a name it is that of the number.
#[derive(Debug)]
pub struct NewPerson {
    pub number: Option<PersonNumber>,
    pub name: Option<PersonName>,
    pub pin: Pin,
}

/// Creates managed users with a number and a PIN each.
pub async fn add_people(
    context: &Context,
    accounts: &Accounts,
    address: ClientAddress,
    (group_id, user): (GroupId, UserId),
    body: impl Body,
) -> Result<Created<Vec<WithPin>>, VerbError<AddPeopleRefusal>> {
    let now = context.clock.now();
    let collection = format!("people/{group_id}");
    authorize_keeper(&mut context.db.read().await?, group_id, user).await?;
    let (keyed, object) = (body.keyed(), body.read()?);
    let keyed = keyed?;
    // A replay does not wait for hashes.
    let mut db = write_in_group(&context.db, group_id).await?;
    let creation = Creation::find(&mut db, user, collection.clone(), keyed.clone(), now).await?;
    creation.require_key()?;
    if let Some(list) = creation.replays() {
        return Ok(Created::replayed(replayed(&mut db, group_id, list, now).await?));
    }
    drop(db);
    let people = parse(shape::parse(object)?)?;
    creation.check_key()?;
    let pins: Vec<Pin> = people.iter().map(|person| person.pin.clone()).collect();
    let hashed = credentials(accounts, address, &pins).await.map_err(AddPeopleRefusal::Hash)?;

    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &[]).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    let creation = Creation::find(&mut db, user, collection, keyed, now).await?;
    if let Some(list) = creation.replays() {
        return Ok(Created::replayed(replayed(&mut db, group_id, list, now).await?));
    }
    creation.check_key()?;
    context.work.charge(user, people.len(), 0)?;
    let list = ListId::new(now);
    let taken = groups::numbers(&mut db, group_id).await?.into_iter().map(|(number, _)| number).collect();
    let added = insert(&mut db, group_id, taken, people.into_iter().zip(hashed), list, now).await?;
    let joining: Vec<_> = added.iter().map(|(number, user, _)| (*number, *user)).collect();
    let joined = group::join(&mut db, &auctions, &joining, now).await;
    joined.map_err(|error| error.or(AddPeopleRefusal::BookFull))?;
    creation.record(&mut db, list, now).await?;
    let people = groups::people_of_list(&mut db, group_id, list, now).await?;
    db.commit().await?;
    Ok(Created::new(with_pins(people, &added)))
}

/// People whom an earlier request has added, without their PINs.
pub(super) async fn replayed(
    db: &mut Transaction,
    group_id: GroupId,
    list: ListId,
    now: Moment,
) -> Result<Vec<WithPin>, DbError> {
    let people = groups::people_of_list(db, group_id, list, now).await?;
    Ok(people.into_iter().map(|person| WithPin { person, pin: None }).collect())
}

/// The people with the PINs of those among `set`.
pub(super) fn with_pins(people: Vec<GroupPerson>, set: &[(PersonNumber, UserId, Pin)]) -> Vec<WithPin> {
    let pin = |person: &GroupPerson| {
        set.iter().find(|(number, ..)| *number == person.number).map(|(.., pin)| pin.clone())
    };
    people.into_iter().map(|person| WithPin { pin: pin(&person), person }).collect()
}

fn parse(body: PeopleBody) -> Result<Vec<NewPerson>, VerbError<AddPeopleRefusal>> {
    let PeopleBody { people } = body;
    if people.is_empty() || people.len() > PEOPLE_OF_REQUEST {
        return Err(vec![FieldError::new("people", "must be 1 to 500 people")].into());
    }
    let mut numbers = HashSet::new();
    let mut parsed = Vec::with_capacity(people.len());
    for (at, PersonBody { number, name, pin }) in people.into_iter().enumerate() {
        let number: Option<PersonNumber> = number.and_then(|number| number.try_into().ok());
        if number.is_some_and(|number| !numbers.insert(number)) {
            return Err(vec![FieldError::new(format!("people.{at}.number"), "is given twice")].into());
        }
        let pin = pin.map_or_else(Pin::new, Ok).map_err(DbError::from)?;
        parsed.push(NewPerson { number, name, pin });
    }
    Ok(parsed)
}

/// Inserts managed users with their numbers: those that are given, and for the others the lowest free ones.
/// `taken` are the numbers of the group in order.
pub(super) async fn insert(
    db: &mut Transaction,
    group_id: GroupId,
    mut taken: Vec<PersonNumber>,
    people: impl Iterator<Item = (NewPerson, Credentials)>,
    list: ListId,
    now: Moment,
) -> Result<Vec<(PersonNumber, UserId, Pin)>, VerbError<AddPeopleRefusal>> {
    let people: Vec<_> = people.collect();
    if taken.len() + people.len() > PEOPLE_MAX {
        return Err(AddPeopleRefusal::Full.into());
    }
    let given = people.iter().filter_map(|(person, _)| person.number);
    for number in given {
        match taken.binary_search(&number) {
            Ok(_) => return Err(AddPeopleRefusal::NumberTaken.into()),
            Err(at) => taken.insert(at, number),
        }
    }
    let free: Vec<PersonNumber> = PersonNumber::lowest_free(&taken).take(people.len()).collect();
    let mut free = free.into_iter();
    let mut added = Vec::with_capacity(people.len());
    for (NewPerson { number, name, pin }, credentials) in people {
        let Some(number) = number.or_else(|| free.next()) else { return Err(AddPeopleRefusal::Full.into()) };
        let id = UserId::new(now);
        let name = name.map_or_else(|| default_name(number), |name| name.as_str().to_owned());
        store::insert_managed_user(db, (id, &name), &credentials, now).await?;
        added.push((number, id, pin));
    }
    let numbers: Vec<_> = added.iter().map(|(number, id, _)| (*number, *id)).collect();
    groups::insert_people(db, group_id, &numbers, (GroupRole::Person, list), now).await?;
    Ok(added)
}

/// The name of a managed user for whom none is given.
pub(super) fn default_name(number: PersonNumber) -> String {
    format!("Number {number}")
}
