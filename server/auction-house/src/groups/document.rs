//! Groups in responses.

use accounts::groups::{GroupPerson, GroupRole, GroupView, PersonNumber, RemovedPerson};
use accounts::person::PersonDocument;
use serde::Serialize;
use utoipa::ToSchema;

use super::people::add::WithKeys;
use super::people::import::ImportedPeople;
use crate::ids::{GroupId, ImportId};
use platform::paging::Paged;
use platform::time::Moment;

/// A group as one of its people sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Group)]
pub struct GroupDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: GroupId,
    pub name: String,
    /// Six letters and digits. Null for those who do not keep the group.
    pub code: Option<String>,
    pub joinable: bool,
    pub my_role: GroupRole,
    pub people_count: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

impl From<GroupView> for GroupDocument {
    fn from(seen: GroupView) -> Self {
        let GroupView { id, name, code, joinable, role, people_count, created_at, updated_at, .. } = seen;
        let code = role.keeps().then(|| code.as_str().to_owned());
        Self { id, name, code, joinable, my_role: role, people_count, created_at, updated_at }
    }
}

/// The groups of a user, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Groups)]
pub struct GroupsDocument {
    pub groups: Vec<GroupDocument>,
}

/// A person of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupPerson)]
pub struct GroupPersonDocument {
    /// 1–9999. Null for a keeper without a number.
    pub number: Option<i64>,
    pub user: PersonDocument,
    /// The user has no e-mail, and signs in with code, number and PIN.
    pub managed: bool,
    pub role: GroupRole,
    /// The number signs nobody in.
    pub disabled: bool,
    /// After 10 wrong PINs the number signs nobody in for 15 minutes.
    pub locked: bool,
    /// Failed sign-ins with the number within the last 15 minutes.
    pub failures: i64,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_sign_in_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// In the answer to a request that may set it, once: null in a repeated answer, and where none was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, required = false)]
    pub pin: Option<Option<String>>,
    /// The secret in the QR code of a card, returned with the PIN: 16 characters of Crockford's base 32.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, required = false)]
    pub card_secret: Option<Option<String>>,
}

impl From<GroupPerson> for GroupPersonDocument {
    fn from(person: GroupPerson) -> Self {
        Self {
            number: person.number.map(PersonNumber::get),
            user: person.person.into(),
            managed: person.is_managed,
            role: person.role,
            disabled: person.is_disabled,
            locked: person.locked_until.is_some(),
            failures: person.failures,
            last_sign_in_at: person.last_sign_in_at,
            created_at: person.created_at,
            pin: None,
            card_secret: None,
        }
    }
}

impl From<WithKeys> for GroupPersonDocument {
    fn from(with: WithKeys) -> Self {
        let WithKeys { person, keys } = with;
        let (pin, secret) = keys.map(|keys| (keys.pin.into_string(), keys.secret)).unzip();
        let card_secret = secret.map(|secret| secret.as_str().to_owned());
        Self { pin: Some(pin), card_secret: Some(card_secret), ..person.into() }
    }
}

/// The people of a group, by number.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupPeople)]
pub struct GroupPeopleDocument {
    pub people: Vec<GroupPersonDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<GroupPerson>> for GroupPeopleDocument {
    fn from(page: Paged<GroupPerson>) -> Self {
        let page = page.map(GroupPersonDocument::from).within_bytes();
        Self { people: page.entries, next_cursor: page.next_cursor }
    }
}

/// A user whom a keeper has removed from the group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RemovedPerson)]
pub struct RemovedPersonDocument {
    pub user: PersonDocument,
    #[schema(value_type = String, format = DateTime)]
    pub removed_at: Moment,
}

/// A page of the users who were removed from a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RemovedPeople)]
pub struct RemovedPeopleDocument {
    pub people: Vec<RemovedPersonDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<RemovedPerson>> for RemovedPeopleDocument {
    fn from(page: Paged<RemovedPerson>) -> Self {
        let document = |removed: RemovedPerson| RemovedPersonDocument {
            user: removed.person.into(),
            removed_at: removed.removed_at,
        };
        let page = page.map(document).within_bytes();
        Self { people: page.entries, next_cursor: page.next_cursor }
    }
}

/// People that a request has added or changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NewGroupPeopleAnswer)]
pub struct AddedDocument {
    pub people: Vec<GroupPersonDocument>,
}

impl From<Vec<WithKeys>> for AddedDocument {
    fn from(people: Vec<WithKeys>) -> Self {
        Self { people: people.into_iter().map(Into::into).collect() }
    }
}

/// People that an import has added or changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupImportResult)]
pub struct ImportedPeopleDocument {
    /// Absent if nobody was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub import_id: Option<ImportId>,
    pub people: Vec<GroupPersonDocument>,
}

impl From<ImportedPeople> for ImportedPeopleDocument {
    fn from(ImportedPeople { id, people }: ImportedPeople) -> Self {
        Self { import_id: id, people: people.into_iter().map(Into::into).collect() }
    }
}
