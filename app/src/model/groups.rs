//! The data of the pages of groups.

use super::{Listing, PastImports, QrCode, TableLayout};

/// A group in the list of the viewer's groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEntry {
    pub id: String,
    pub name: String,
    pub is_keeper: bool,
    pub people: i64,
}

/// A group, for its people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPage {
    pub group: GroupEntry,
    /// The auctions of the group that the viewer sees: address and name.
    pub auctions: Vec<(String, String)>,
    pub leaving: Leaving,
    /// For the keepers.
    pub kept: Option<KeptGroup>,
}

/// How the viewer may leave a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// The viewer has no e-mail, and leaves with a PIN, which deletes the account.
    WithPin,
    CodeBringsBack,
    /// Only a keeper can bring the viewer back: nobody joins with the code.
    KeeperBringsBack,
    /// The viewer is the only keeper, and stays.
    LastKeeper,
}

/// A user who was removed by a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedEntry {
    pub id: String,
    pub name: String,
    pub removed_at: i64,
}

/// A group as its keepers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptGroup {
    pub code: String,
    pub joinable: bool,
    /// The address of the page where people sign in.
    pub door: String,
    pub people: Listing<PersonEntry>,
    /// The numbers with most failed sign-ins, most first.
    pub failing: Vec<PersonEntry>,
    /// Until then no number is locked.
    pub open_until: Option<i64>,
    pub search: Option<String>,
    pub cursor: Option<String>,
    pub removed: Listing<RemovedEntry>,
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

/// Cards with which people sign in, to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCards {
    pub group: GroupEntry,
    pub code: String,
    /// The address of the page where people sign in, without the scheme.
    pub door: String,
    pub cards: Vec<GroupCard>,
    /// An import has just written the people of the cards.
    pub is_import: bool,
}

/// A card of one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCard {
    pub number: i64,
    pub name: String,
    /// Only in the response that has set it.
    pub pin: Option<String>,
    /// Opens the page with the fields filled in.
    pub qr: Option<QrCode>,
}

/// A table of people that is to be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleImport {
    pub group: GroupEntry,
    pub rows: Vec<PlannedPerson>,
    /// Row and message.
    pub errors: Vec<(String, String)>,
    pub layout: TableLayout,
    pub imports: PastImports,
}

/// A row of a table, and its effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPerson {
    pub row: usize,
    /// None for a keeper without one.
    pub number: Option<i64>,
    pub name: String,
    /// In words.
    pub action: String,
}
