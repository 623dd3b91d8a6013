//! Books, holders and entries in responses (SPEC, section 12).

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use super::caps::BookCaps;
use super::entries::EntryPage;
use super::holders::list::HolderFunds;
use super::import::ImportedEntries;
use super::share::BookShare;
use super::{BookRole, BookStatus, BookView, BookVisibility, Entry, EntryKind};
use crate::base_unit::BaseUnit;
use crate::ids::{BookId, ImportId, ItemId};
use crate::waiting::WaitingGrant;
use accounts::person::PersonDocument;
use platform::paging::Paged;
use platform::time::Moment;

/// A book as one holder sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Book)]
pub struct BookDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: BookId,
    pub name: String,
    pub base_unit: BaseUnit,
    /// A decimal.
    #[schema(value_type = String)]
    pub starting_balance: Normalized,
    /// A decimal.
    #[schema(value_type = String)]
    pub credit_limit: Normalized,
    pub visibility: BookVisibility,
    pub status: BookStatus,
    /// The pots of all auctions of the book together. Absent if it is 0, in lists, and in answers to changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub pot: Option<Normalized>,
    /// Limits on what is given. Absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub caps: Option<BookCaps>,
    /// How what is spent is shared. Absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub share: Option<BookShare>,
    pub my_role: BookRole,
    /// The secret of the link with which users become holders, for OWNER and TELLERs.
    pub invite_token: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

impl From<BookView> for BookDocument {
    fn from(seen: BookView) -> Self {
        let terms = seen.book.terms;
        Self {
            id: seen.book.id,
            name: terms.name,
            base_unit: terms.base_unit,
            starting_balance: terms.starting_balance,
            credit_limit: terms.credit_limit,
            visibility: terms.visibility,
            status: terms.status,
            pot: None,
            caps: terms.caps,
            share: terms.share,
            my_role: seen.role,
            invite_token: seen.role.keeps().then(|| seen.book.link_token.as_str().to_owned()),
            created_at: seen.book.created_at,
            updated_at: seen.book.updated_at,
        }
    }
}

/// A page of books, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Books)]
pub struct BooksDocument {
    pub books: Vec<BookDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<BookView>> for BooksDocument {
    fn from(page: Paged<BookView>) -> Self {
        let page = page.map(BookDocument::from).within_bytes();
        Self { books: page.entries, next_cursor: page.next_cursor }
    }
}

/// A holder with what they have, in base units as decimals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookHolder)]
pub struct HolderDocument {
    pub user: PersonDocument,
    pub role: BookRole,
    #[schema(value_type = String)]
    pub balance: Normalized,
    /// The sum of the bids with which the holder leads items without an outcome.
    #[schema(value_type = String)]
    pub committed: Normalized,
    /// Balance and credit less what is committed. May be negative.
    #[schema(value_type = String)]
    pub available: Normalized,
}

impl From<HolderFunds> for HolderDocument {
    fn from(HolderFunds { holder, funds }: HolderFunds) -> Self {
        Self {
            user: holder.person.into(),
            role: holder.role,
            balance: funds.balance,
            committed: funds.committed.amount(),
            available: funds.available(),
        }
    }
}

/// A page of holders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookHolders)]
pub struct HoldersDocument {
    pub holders: Vec<HolderDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<HolderFunds>> for HoldersDocument {
    fn from(page: Paged<HolderFunds>) -> Self {
        let page = page.map(HolderDocument::from).within_bytes();
        Self { holders: page.entries, next_cursor: page.next_cursor }
    }
}

/// An entry of a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookEntry)]
pub struct EntryDocument {
    /// 1, 2, 3 … within the book.
    pub sequence: i64,
    pub holder: PersonDocument,
    /// A decimal in base units, with its sign.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub kind: EntryKind,
    pub reason: Option<String>,
    /// Item of a CHARGE, and of its REVERSAL. Null for a keeper who may not see the bidders of its auction.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub item_id: Option<ItemId>,
    /// The number of the outcome of the item that the entry follows from.
    pub outcome: Option<i64>,
    /// The copy of the item that was sold. Absent for entries of no sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub copy: Option<i64>,
    /// The sequence of the entry that a REVERSAL reverses.
    pub reverses: Option<i64>,
    /// The number of the run that has written the entry, or its reversal. Absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub run: Option<i64>,
    /// The amount before the caps of the book, where they have left another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub asked: Option<Normalized>,
    /// Null for what the clock or a bid caused.
    pub by: Option<PersonDocument>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
}

impl From<Entry> for EntryDocument {
    fn from(entry: Entry) -> Self {
        Self {
            sequence: entry.sequence,
            holder: entry.holder.into(),
            amount: entry.amount,
            kind: entry.kind,
            reason: entry.reason,
            item_id: entry.item_id,
            outcome: entry.outcome,
            copy: entry.copy,
            reverses: entry.reverses,
            run: entry.run,
            asked: entry.asked,
            by: entry.by.map(Into::into),
            created_at: entry.created_at,
        }
    }
}

/// Entries, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookEntries)]
pub struct EntriesDocument {
    pub entries: Vec<EntryDocument>,
    /// `?before=` of the next page.
    pub next_before: Option<i64>,
}

impl From<EntryPage> for EntriesDocument {
    fn from(page: EntryPage) -> Self {
        let entries = page.entries.into_iter().map(Into::into).collect();
        Self { entries, next_before: page.next_before }
    }
}

/// The entries that an import has written, in order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookImportResult)]
pub struct ImportedEntriesDocument {
    #[schema(value_type = String, format = "uuid")]
    pub import_id: ImportId,
    pub entries: Vec<EntryDocument>,
    /// Grants that wait for people, with `invite=true`. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub waiting: Vec<WaitingGrant>,
}

impl From<ImportedEntries> for ImportedEntriesDocument {
    fn from(ImportedEntries { id, entries, waiting }: ImportedEntries) -> Self {
        Self { import_id: id, entries: entries.into_iter().map(Into::into).collect(), waiting }
    }
}

/// The entries that a request has written, in order.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WrittenBookEntries)]
pub struct WrittenDocument {
    pub entries: Vec<EntryDocument>,
}

impl From<Vec<Entry>> for WrittenDocument {
    fn from(entries: Vec<Entry>) -> Self {
        Self { entries: entries.into_iter().map(Into::into).collect() }
    }
}
