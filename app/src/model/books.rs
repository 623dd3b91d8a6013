//! The data of the pages of books.

use super::wire::{wire_enum, wire_struct};
use super::{BaseUnit, Listing, PastImports, SelectOption, TableLayout};

wire_enum! {
    /// The viewer's role in a book.
    BookRole {
        Owner = "OWNER",
        Teller = "TELLER",
        Holder = "HOLDER",
    }
}

impl BookRole {
    /// Owners and tellers grant, reverse and import.
    pub const fn keeps(self) -> bool {
        matches!(self, Self::Owner | Self::Teller)
    }
}

wire_enum! {
    EntryKind {
        Grant = "GRANT",
        Charge = "CHARGE",
        Share = "SHARE",
        Decay = "DECAY",
        Reversal = "REVERSAL",
    }
}

/// What a holder has, in base units. `available` is negative if more is committed than the holder has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funds {
    pub balance: String,
    pub committed: String,
    pub available: String,
}

impl Funds {
    /// Less is available than the leading bids need.
    pub fn is_overcommitted(&self) -> bool {
        self.available.starts_with('-')
    }
}

/// The book of an auction, for the heading of its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFunds {
    pub book_id: String,
    /// Absent until the viewer is a member.
    pub balance: Option<Funds>,
    pub unit: BaseUnit,
}

/// A book in the list of the viewer's books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    pub id: String,
    pub name: String,
    pub unit: BaseUnit,
    pub role: BookRole,
    pub is_closed: bool,
    /// The viewer's own.
    pub funds: Funds,
}

/// A book with a page of its holders and of its entries, as one holder may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPage {
    pub book: BookEntry,
    /// How far below zero a holder may go, in base units.
    pub credit_limit: String,
    /// The sum of the pots of all auctions.
    pub pot: String,
    /// The link with which users become holders: shown to keepers while the book is open.
    pub link: Option<String>,
    /// Absent if the viewer may not see the other holders.
    pub holders: Option<Listing<HolderEntry>>,
    /// Holders whose leading bids need more than they have, for those who keep the book.
    pub overcommitted: Vec<HolderEntry>,
    /// What the holders' names are searched for.
    pub search: Option<String>,
    pub entries: Listing<LedgerEntry>,
    /// The holder whose entries are shown. Absent for the entries of all holders.
    pub entries_of: Option<SelectOption>,
    /// What the holder whose entries are shown, or the viewer, had over time.
    pub balances: Vec<PlotPoint>,
    /// The auctions of the book that the viewer may see.
    pub auctions: Vec<SelectOption>,
    /// Grants that wait, for the keepers of the book.
    pub waiting: WaitingList,
}

/// The first grants of a book that wait for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaitingList {
    pub entries: Vec<WaitingEntry>,
    /// Number of the others.
    pub more: i64,
}

/// A grant that waits for the person with an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingEntry {
    pub id: String,
    pub email: String,
    pub amount: String,
    pub reason: String,
    pub expires_at: i64,
    /// The link of the book could not be mailed.
    pub mail_failed: bool,
}

/// The book to which a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookInvitation {
    pub id: String,
    pub name: String,
    /// Name of the owner.
    pub owner: String,
    pub is_closed: bool,
    /// The viewer is a holder already.
    pub is_holder: bool,
}

/// A holder of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderEntry {
    pub id: String,
    pub name: String,
    pub role: BookRole,
    pub funds: Funds,
    pub is_viewer: bool,
}

/// An entry of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub sequence: i64,
    pub holder: SelectOption,
    /// In base units, with its sign.
    pub amount: String,
    pub kind: EntryKind,
    pub reason: Option<String>,
    /// The sequence of the entry that this one reverses.
    pub reverses: Option<i64>,
    /// The viewer may reverse it.
    pub is_reversible: bool,
    pub by: Option<String>,
    pub created_at: i64,
}

/// A book, for a viewer who may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookSettings {
    pub id: String,
    pub name: String,
    pub unit: BaseUnit,
    pub version: i64,
    /// The fields of the forms.
    pub fields: Vec<(String, String)>,
    /// Names of time zones.
    pub zones: Vec<String>,
    pub is_closed: bool,
    /// The book has entries or auctions, so that it can't be deleted.
    pub is_used: bool,
}

/// What an import would write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPreview {
    pub book: BookEntry,
    /// The groups that the viewer keeps, whose numbers may name the people.
    pub groups: Vec<SelectOption>,
    pub rows: Vec<ImportRow>,
    /// Rows of unknown people.
    pub unknown: Vec<UnknownRow>,
    /// Number of the rows of 0.
    pub zeros: usize,
    /// Row and what is wrong with it.
    pub errors: Vec<(String, String)>,
    pub layout: TableLayout,
    pub imports: PastImports,
    /// Sum of all rows, unless it is too large.
    pub total: Option<String>,
}

/// A row of an unknown person in an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRow {
    pub row: usize,
    /// The e-mail, the number or the name.
    pub whom: String,
    pub amount: String,
    /// In words: what becomes of the row.
    pub effect: &'static str,
}

/// A row of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    pub row: usize,
    /// The e-mail or the number that names the person.
    pub whom: String,
    pub name: String,
    pub amount: String,
    pub reason: String,
}

/// The parts of a book that its page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookQuery {
    /// Text that the names of the listed holders contain.
    pub search: Option<String>,
    /// Where the page of holders begins.
    pub cursor: Option<String>,
    /// The holder whose entries are shown.
    pub holder: Option<String>,
    /// Entries with smaller sequences are shown.
    pub before: Option<String>,
}

/// The runs of a book, with the one that is about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsPage {
    pub book: BookEntry,
    /// The sum of the pots of all auctions.
    pub pot: String,
    /// The auctions of the book with their pots.
    pub auctions: Vec<(SelectOption, String)>,
    /// The values of the forms, by field.
    pub fields: Vec<(String, String)>,
    pub preview: Option<RunPreview>,
    /// Sentences about fields of which no run can be made.
    pub errors: Vec<String>,
    pub runs: Listing<RunEntry>,
    /// What was spent and not shared yet, over time.
    pub pots: Vec<PlotPoint>,
}

/// An amount from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotPoint {
    pub at: i64,
    pub amount: String,
}

wire_struct! {
    /// What a run of a book is computed of.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct RunCase {
        /// All holders, in the order by which equal remainders of a share are told apart.
        pub holders: Vec<CaseHolder>,
        /// Ids of the holders who are present in the auction.
        pub present: Vec<String>,
        /// What the auction, or its lot, has to share.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub pot: Option<String>,
        /// The lot.
        #[cfg_attr(feature = "ssr", serde(rename = "itemId", skip_serializing_if = "Option::is_none"))]
        pub item_id = "itemId": Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub caps: Option<CaseCaps>,
        /// The periods that have had their decay.
        pub taken: Vec<String>,
    }
}

wire_struct! {
    /// A holder in a [`RunCase`].
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CaseHolder {
        pub id: String,
        pub name: String,
        pub balance: String,
        /// What caps count as given this week.
        pub given: String,
    }
}

wire_struct! {
    /// Limits on what is given.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CaseCaps {
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub soft: Option<String>,
        #[cfg_attr(feature = "ssr", serde(rename = "softPercent", skip_serializing_if = "Option::is_none"))]
        pub soft_percent = "softPercent": Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub hard: Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub weekly: Option<String>,
    }
}

wire_struct! {
    /// What the island with the preview of a run starts with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct LiveRun {
        /// Where the run is posted.
        pub action: String,
        pub unit: BaseUnit,
        #[cfg_attr(feature = "ssr", serde(rename = "isShare"))]
        pub is_share = "isShare": bool,
        /// Makes a repeated form have no further effect.
        pub key: String,
        /// Typed into a form that was refused.
        pub reason: String,
    }
}

/// The preview of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPreview {
    pub rows: Vec<RunLine>,
    /// What stays in the pot, if anything does.
    pub kept: Option<String>,
    pub hash: String,
    pub is_share: bool,
}

/// The effect of a run on one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLine {
    pub name: String,
    /// With its sign.
    pub amount: String,
    /// The amount before caps, where they have left another.
    pub asked: Option<String>,
    pub before: String,
    pub after: String,
}

/// A run of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEntry {
    pub number: i64,
    /// In words.
    pub kind: &'static str,
    pub reason: Option<String>,
    pub by: Option<String>,
    /// An outcome has caused it.
    pub is_automatic: bool,
    pub created_at: i64,
    pub reversed_at: Option<i64>,
    /// A further outcome has reversed it.
    pub is_reversed_by_outcome: bool,
    pub is_reversible: bool,
}
