//! Adds managed users to a group: all of a list or none.

use std::collections::{HashMap, HashSet};

use accounts::Accounts;
use accounts::credentials::Credentials;
use accounts::groups::store as groups;
use accounts::groups::{CardKeys, GroupPerson, GroupPlace, GroupRole, PEOPLE_MAX, PersonNumber, Pin};
use accounts::hashing::HashError;
use accounts::locks::write_in_group;
use accounts::name::{PersonName, TypedName};
use accounts::user::store;

use super::pins::credentials;
use crate::access::store::numbers;
use crate::auctions::group::{self, OfGroup};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events;
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, ListId, UserId};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::FieldError;
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
    pub(super) name: Option<TypedName>,
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

/// A person with the PIN and the secret of the card that were set. None in a replay: they are returned once.
#[derive(Debug, Clone)]
pub struct WithKeys {
    pub person: GroupPerson,
    pub keys: Option<CardKeys>,
}

/// A person who is to be added. Without a name it is that of the number.
#[derive(Debug)]
pub struct NewPerson {
    pub number: Option<PersonNumber>,
    pub name: Option<PersonName>,
    pub keys: CardKeys,
}

/// People with their numbers and names, before they are created.
#[derive(Debug)]
pub(super) struct Numbered {
    people: Vec<(PersonNumber, String, CardKeys)>,
    /// Keepers who had a number of these people, and have none from then on.
    keepers: Vec<UserId>,
}

/// People who were added, and the events of the auctions in which a keeper has given up a number.
pub(super) struct Inserted {
    pub(super) added: Vec<(PersonNumber, UserId, CardKeys)>,
    pub(super) touched: Vec<events::Signal>,
}

/// Creates managed users with a number and a PIN each. A keeper gives up a number that is given to one of
/// them.
pub async fn add_people(
    context: &Context,
    accounts: &Accounts,
    (group_id, user): (GroupId, UserId),
    body: impl Body,
) -> Result<Created<Vec<WithKeys>>, VerbError<AddPeopleRefusal>> {
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
    // What is refused costs no hash.
    let present = groups::places(&mut context.db.read().await?, group_id).await?;
    Numbered::of(&people, &present)?;
    context.work.charge_hashes(user, people.len())?;
    let keys: Vec<CardKeys> = people.iter().map(|person| person.keys.clone()).collect();
    let hashed = credentials(accounts, user, &keys).await.map_err(AddPeopleRefusal::Hash)?;

    let _turn = context.work.begin_large_write(user, people.len()).await?;
    let GroupWrite { mut db, auctions } = GroupWrite::begin(context, group_id, &[]).await?;
    authorize_keeper(&mut db, group_id, user).await?;
    let creation = Creation::find(&mut db, user, collection, keyed, now).await?;
    if let Some(list) = creation.replays() {
        return Ok(Created::replayed(replayed(&mut db, group_id, list, now).await?));
    }
    creation.check_key()?;
    let list = ListId::new(now);
    let present = groups::places(&mut db, group_id).await?;
    let Inserted { added, touched } =
        Numbered::of(&people, &present)?.insert((&mut db, now), (group_id, &auctions), hashed, list).await?;
    creation.record(&mut db, list, now).await?;
    // Before the commit: a failure would lose the PINs, which are shown once.
    let people = groups::people_of_list(&mut db, group_id, list, now).await?;
    db.commit().await?;
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(with_keys(people, &added)))
}

/// People whom an earlier request has added, without their PINs.
pub(super) async fn replayed(
    db: &mut Transaction,
    group_id: GroupId,
    list: ListId,
    now: Moment,
) -> Result<Vec<WithKeys>, DbError> {
    let people = groups::people_of_list(db, group_id, list, now).await?;
    Ok(people.into_iter().map(|person| WithKeys { person, keys: None }).collect())
}

/// The people with the keys of those among `set`.
pub(super) fn with_keys(people: Vec<GroupPerson>, set: &[(PersonNumber, UserId, CardKeys)]) -> Vec<WithKeys> {
    let keys: HashMap<PersonNumber, &CardKeys> =
        set.iter().map(|(number, _, keys)| (*number, keys)).collect();
    let keys = |person: &GroupPerson| keys.get(&person.number?).copied().cloned();
    people.into_iter().map(|person| WithKeys { keys: keys(&person), person }).collect()
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
        let own = number.as_slice();
        let name = name
            .map(|name| name.of(own))
            .transpose()
            .map_err(|error| vec![FieldError::new(format!("people.{at}.name"), error.to_string())])?;
        let keys = pin.map_or_else(CardKeys::new, CardKeys::of).map_err(DbError::from)?;
        parsed.push(NewPerson { number, name, keys });
    }
    Ok(parsed)
}

impl Numbered {
    /// The numbers that are given, also those of keepers, and for the others the lowest free ones. `present`
    /// are the people of the group by number.
    pub(super) fn of(people: &[NewPerson], present: &[GroupPlace]) -> Result<Self, AddPeopleRefusal> {
        if present.len() + people.len() > PEOPLE_MAX {
            return Err(AddPeopleRefusal::Full);
        }
        let mut taken: Vec<PersonNumber> = present.iter().filter_map(|place| place.number).collect();
        let mut keepers = Vec::new();
        for number in people.iter().filter_map(|person| person.number) {
            match taken.binary_search(&number) {
                Ok(_) => match present.iter().find(|place| place.number == Some(number)) {
                    Some(place) if place.role.keeps() => keepers.push(place.user),
                    _ => return Err(AddPeopleRefusal::NumberTaken),
                },
                Err(at) => taken.insert(at, number),
            }
        }
        let free: Vec<PersonNumber> = PersonNumber::lowest_free(&taken).take(people.len()).collect();
        let mut free = free.into_iter();
        let number = |person: &NewPerson| {
            let number = person.number.or_else(|| free.next()).ok_or(AddPeopleRefusal::Full)?;
            let name = person.name.as_ref().map(|name| name.as_str().to_owned());
            Ok((number, name.unwrap_or_else(|| default_name(number)), person.keys.clone()))
        };
        let people = people.iter().map(number).collect::<Result<_, _>>()?;
        Ok(Self { people, keepers })
    }

    /// Adds managed users with these credentials to a group, its open auctions and their books.
    pub(super) async fn insert(
        self,
        (db, now): (&mut Transaction, Moment),
        (group_id, auctions): (GroupId, &[OfGroup]),
        hashed: Vec<Credentials>,
        list: ListId,
    ) -> Result<Inserted, VerbError<AddPeopleRefusal>> {
        let Self { people, keepers } = self;
        let touched = give_up(db, (group_id, auctions), &keepers, now).await?;
        let (mut added, mut users) = (Vec::with_capacity(people.len()), Vec::with_capacity(people.len()));
        for ((number, name, keys), credentials) in people.into_iter().zip(hashed) {
            let id = UserId::new(now);
            users.push((id, name, credentials));
            added.push((number, id, keys));
        }
        store::insert_managed_users(db, &users, now).await?;
        let numbers: Vec<_> = added.iter().map(|(number, id, _)| (Some(*number), *id)).collect();
        groups::insert_people(db, group_id, &numbers, (GroupRole::Person, list), now).await?;
        let joined = group::join(db, auctions, &numbers, now).await;
        joined.map_err(|error| error.or(AddPeopleRefusal::BookFull))?;
        Ok(Inserted { added, touched })
    }
}

/// Takes the numbers of keepers, in the open auctions of the group too. Returns the events of these.
async fn give_up(
    db: &mut Transaction,
    (group_id, auctions): (GroupId, &[OfGroup]),
    keepers: &[UserId],
    now: Moment,
) -> Result<Vec<events::Signal>, DbError> {
    if keepers.is_empty() {
        return Ok(Vec::new());
    }
    groups::take_numbers(db, group_id, keepers).await?;
    let ids: Vec<_> = auctions.iter().map(|auction| auction.id).collect();
    for keeper in keepers {
        numbers::change(db, &ids, *keeper, None).await?;
    }
    let mut touched = Vec::new();
    for auction_id in ids {
        touched.push(events::store::record_all(db, auction_id, now).await?);
    }
    Ok(touched)
}

/// The name of a managed user for whom none is given.
pub(super) fn default_name(number: PersonNumber) -> String {
    format!("Number {number}")
}
