//! Groups as page data.

use accounts::groups::store as groups;
use accounts::groups::{CardSecret, GroupPerson, GroupView, PersonKey, PersonNumber, UNDO_UPGRADE_SECONDS};
use app::components::error_page::LoadError;
use app::model::SelectOption;
use auction_house::groups::people::add::WithKeys;
use auction_house::ids::{GroupId, UserId};
use platform::db::{Connection, DbError};
use platform::time::Moment;

use super::cards::{GroupCard, GroupCards};
use crate::pages::error::{Loaded, PageError};
use crate::pages::qr::qr_code;
use crate::pages::request::PageRequest;

/// A group in the list of the viewer's groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEntry {
    pub id: String,
    pub name: String,
    pub is_keeper: bool,
    pub people: i64,
}

/// A person of a group, as its keepers see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonEntry {
    /// The person in addresses.
    pub key: String,
    /// None for a keeper without a number.
    pub number: Option<i64>,
    pub name: String,
    /// A user without an e-mail.
    pub is_managed: bool,
    pub is_keeper: bool,
    pub is_viewer: bool,
    pub is_disabled: bool,
    pub locked_until: Option<i64>,
    /// Failed sign-ins within the last 15 minutes.
    pub failures: i64,
    pub last_sign_in_at: Option<i64>,
    /// Until then the keepers may undo that the person got an account.
    pub undo_until: Option<i64>,
}

pub fn entry(seen: &GroupView) -> GroupEntry {
    GroupEntry {
        id: seen.id.to_string(),
        name: seen.name.clone(),
        is_keeper: seen.role.keeps(),
        people: seen.people_count,
    }
}

pub fn person_entry(viewer: UserId, person: GroupPerson, now: Moment) -> PersonEntry {
    let undo_until = person.upgraded_at.filter(|_| !person.is_managed);
    let undo_until = undo_until.map(|at| at.plus_seconds(UNDO_UPGRADE_SECONDS)).filter(|until| *until > now);
    PersonEntry {
        key: PersonKey::of(&person).to_string(),
        number: person.number.map(PersonNumber::get),
        name: person.person.name,
        is_managed: person.is_managed,
        is_keeper: person.role.keeps(),
        is_viewer: person.person.id == viewer,
        is_disabled: person.is_disabled,
        locked_until: person.locked_until.map(Moment::millis),
        failures: person.failures,
        undo_until: undo_until.map(Moment::millis),
        last_sign_in_at: person.last_sign_in_at.map(Moment::millis),
    }
}

/// The cards of these people. Their codes are drawn on a thread of low priority: there may be 2,000.
pub async fn cards(request: &PageRequest, seen: GroupView, people: Vec<WithKeys>) -> Loaded<GroupCards> {
    let site = request.site().to_owned();
    let drawn = request.state.context.work.compute(move || drawn(&seen, &site, people)).await;
    // The server is stopping.
    drawn.map_err(|_| PageError(LoadError::Unavailable))
}

/// `site` is the address of this site.
fn drawn(seen: &GroupView, site: &str, people: Vec<WithKeys>) -> GroupCards {
    let code = seen.code.as_str();
    // Only people with a number sign in by a card.
    let card = |WithKeys { person, keys }: WithKeys| {
        let number = person.number?;
        let (pin, secret) = keys.map(|keys| (keys.pin.into_string(), keys.secret)).unzip();
        let secret = secret.as_ref().map_or("", CardSecret::as_str);
        let filled = format!("{site}/go#{code}.{number}.{secret}");
        Some(GroupCard { number: number.get(), name: person.person.name, pin, qr: qr_code(&filled) })
    };
    GroupCards {
        group: entry(seen),
        code: code.to_owned(),
        door: door(site),
        cards: people.into_iter().filter_map(card).collect(),
        is_import: false,
    }
}

/// The address of the page where people sign in, as it is printed.
pub fn door(site: &str) -> String {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    format!("{host}/go")
}

/// The groups that a user keeps, and the present one, for a field that chooses one of them.
pub async fn choices(
    db: &mut Connection,
    present: Option<GroupId>,
    user: UserId,
) -> Result<Vec<SelectOption>, DbError> {
    let mut kept = groups::kept(db, user).await?;
    if let Some(present) = present
        && kept.iter().all(|(id, _)| *id != present)
        && let Some(name) = groups::name(db, present).await?
    {
        kept.push((present, name));
    }
    let option = |(id, name): (GroupId, String)| SelectOption { value: id.to_string(), label: name };
    Ok(kept.into_iter().map(option).collect())
}
