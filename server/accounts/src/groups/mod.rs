//! Groups: people who bid together again and again, each with a number. Their keepers create managed users,
//! who sign in with the code of the group, their number and a PIN (SPEC, section 14).

mod card;
mod code;
pub mod headings;
mod key;
mod number;
mod pin;
pub mod store;

pub use card::{CardKeys, CardSecret, NotACardSecret};
pub use code::{GroupCode, NotACode};
pub use key::{NotAKey, PersonKey};
pub use number::{NotANumber, PersonNumber};
pub use pin::{NotAPin, Pin};

use crate::ids::{GroupId, UserId};
use crate::person::Person;
use platform::db::Integer;
use platform::text_enum;
use platform::time::Moment;

/// People of one group, at most.
pub const PEOPLE_MAX: usize = 2_000;
/// How long the keepers may undo that a managed user became a full account.
pub const UNDO_UPGRADE_SECONDS: i64 = 24 * 60 * 60;
/// Groups of one user, at most.
pub const GROUPS_MAX: i64 = 100;

text_enum! {
    /// What a person may do in a group.
    #[derive(PartialOrd, Ord)]
    pub enum GroupRole {
        Keeper = "KEEPER",
        Person = "PERSON",
    }
}

/// A group as one of its people sees it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GroupView {
    pub id: GroupId,
    /// 1–200 characters.
    pub name: String,
    pub code: GroupCode,
    /// Users with an e-mail join with the code.
    pub joinable: bool,
    /// Until then no number is locked.
    pub open_until: Moment,
    pub viewer: UserId,
    pub role: GroupRole,
    pub people_count: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// A user whom a keeper has removed from a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedPerson {
    pub person: Person,
    pub removed_at: Moment,
}

/// A person of a group, as its keepers see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPerson {
    /// None for a keeper without a number.
    pub number: Option<PersonNumber>,
    pub person: Person,
    /// A user without an e-mail.
    pub is_managed: bool,
    pub role: GroupRole,
    /// The number signs nobody in.
    pub is_disabled: bool,
    /// After too many wrong PINs the number signs nobody in until then.
    pub locked_until: Option<Moment>,
    /// Failed sign-ins with the number within the last 15 minutes.
    pub failures: i64,
    /// When the managed user of this group became a full account.
    pub upgraded_at: Option<Moment>,
    pub last_sign_in_at: Option<Moment>,
    pub created_at: Moment,
}

/// The place of a user in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupPlace {
    /// None for a keeper without a number.
    pub number: Option<PersonNumber>,
    pub user: UserId,
    pub role: GroupRole,
}

/// A number of a group, as a sign-in finds it.
#[derive(sqlx_macros::FromRow)]
pub struct Threshold {
    /// A person has the number.
    pub has_person: bool,
    /// Until then no number of the group is locked.
    pub open_until: Moment,
}

/// The place of a managed user in the group.
#[derive(sqlx_macros::FromRow)]
pub struct Managed {
    pub group_id: GroupId,
    pub group_name: String,
    pub code: GroupCode,
    pub number: Integer<PersonNumber>,
}

impl GroupPerson {
    pub fn place(&self) -> GroupPlace {
        GroupPlace { number: self.number, user: self.person.id, role: self.role }
    }
}

impl GroupRole {
    pub fn keeps(self) -> bool {
        self == Self::Keeper
    }
}
