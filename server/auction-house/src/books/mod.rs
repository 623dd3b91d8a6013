//! Books: what people own in one base unit (SPEC, section 12). A book outlives auctions. Its entries are only
//! appended.

pub mod access;
mod amount;
pub mod balances;
pub mod body;
pub mod caps;
pub mod create;
pub mod delete;
pub mod document;
pub mod entries;
pub mod export;
pub mod funds;
pub mod history;
pub mod holders;
pub mod import;
pub mod list;
pub mod patch;
pub mod posting;
pub mod routes;
pub mod runs;
pub mod share;
pub mod state;
pub mod store;
pub mod waiting;

use rules_engine::money::Normalized;

use self::caps::BookCaps;
use self::share::BookShare;
use crate::base_unit::BaseUnit;
use crate::ids::{BookId, ItemId, UserId};
use accounts::Person;
use platform::text_enum;
use platform::time::Moment;
use platform::token::LinkToken;

text_enum! {
    /// Who sees the balances of the holders besides OWNER and TELLERs.
    #[derive(Default)]
    pub enum BookVisibility {
        #[default]
        Private = "PRIVATE",
        Members = "MEMBERS",
    }
}

text_enum! {
    /// Whether a book takes entries and auctions.
    #[derive(Default)]
    pub enum BookStatus {
        #[default]
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

text_enum! {
    /// What a holder may do in a book. OWNER and TELLERs keep it.
    #[derive(PartialOrd, Ord)]
    #[schema(as = BookRole)]
    pub enum BookRole {
        Owner = "OWNER",
        Teller = "TELLER",
        Holder = "HOLDER",
    }
}

text_enum! {
    /// Why a balance changed.
    #[schema(as = BookEntryKind)]
    pub enum EntryKind {
        Grant = "GRANT",
        Charge = "CHARGE",
        Share = "SHARE",
        Decay = "DECAY",
        Reversal = "REVERSAL",
    }
}

impl BookRole {
    pub fn keeps(self) -> bool {
        matches!(self, Self::Owner | Self::Teller)
    }
}

/// What the owner of a book decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookTerms {
    /// 1–200 characters.
    pub name: String,
    pub base_unit: BaseUnit,
    /// 0–10^15, granted once to everyone who becomes a holder.
    pub starting_balance: Normalized,
    /// 0–10^15: how far a holder may commit beyond the balance.
    pub credit_limit: Normalized,
    pub visibility: BookVisibility,
    pub status: BookStatus,
    pub caps: Option<BookCaps>,
    pub share: Option<BookShare>,
}

/// A record of what people own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    pub id: BookId,
    pub terms: BookTerms,
    /// The secret of the link with which users become holders. For the keepers.
    pub link_token: LinkToken,
    /// Time at which the book was closed.
    pub closed_at: Option<Moment>,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

impl Book {
    pub fn is_closed(&self) -> bool {
        self.closed_at.is_some()
    }
}

/// What words about the balances of a book need.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NamedBook {
    pub name: String,
    #[sqlx(flatten)]
    pub base_unit: BaseUnit,
}

/// A user who has a balance in a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub person: Person,
    pub role: BookRole,
    pub balance: Normalized,
}

/// An entry of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// 1, 2, 3 … within the book.
    pub sequence: i64,
    pub holder: Person,
    /// −10^15–10^15.
    pub amount: Normalized,
    pub kind: EntryKind,
    pub reason: Option<String>,
    /// Item of a CHARGE, and of its REVERSAL.
    pub item_id: Option<ItemId>,
    /// The number of the outcome of the copy.
    pub outcome: Option<i64>,
    /// The copy of the item.
    pub copy: Option<i64>,
    /// The sequence of the entry that a REVERSAL reverses.
    pub reverses: Option<i64>,
    pub is_reversed: bool,
    /// The number of the run that has written the entry, or its reversal.
    pub run: Option<i64>,
    /// The amount before caps, where they have left another.
    pub asked: Option<Normalized>,
    /// None for what the clock or a bid caused.
    pub by: Option<Person>,
    pub created_at: Moment,
}

/// An entry that follows from the outcome of an item: a CHARGE, below zero, or its REVERSAL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleEntry {
    pub item_id: ItemId,
    pub copy: i64,
    /// The number of the outcome among those of the copy.
    pub outcome: i64,
    pub sequence: i64,
    pub holder_id: UserId,
    pub amount: Normalized,
}

/// A book as one holder sees it.
#[derive(Debug, Clone)]
pub struct BookView {
    pub book: Book,
    pub viewer: UserId,
    pub role: BookRole,
    /// An auction of the book hides its bidders, whom the balances would tell.
    pub hides_bidders: bool,
}
