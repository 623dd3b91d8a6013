//! Books in transactions that append entries: what their holders have, and the writes.

use std::collections::HashMap;

use rules_engine::money::Normalized;

use crate::books::EntryKind;
use crate::books::caps::BookCaps;
use crate::books::share::BookShare;
use crate::ids::{BookId, ItemId, OutcomeId, UserId};
use platform::db::{
    BulkStatement, Connection, DbError, Json, Parsed, WriteBatch, bulk_statement, for_each_row, query,
    query_scalar, row, rows,
};
use platform::time::Moment;

/// What bids and entries depend on.
#[derive(Debug, Clone)]
pub struct BatchBook {
    /// What was read of the book, its holders and their commitments is current while this number is.
    pub revision: i64,
    /// Sequence of the newest entry.
    pub last_sequence: i64,
    pub starting_balance: Normalized,
    pub credit_limit: Normalized,
    /// How the book shares what is spent at once, if it does.
    pub automatic: Option<Automatic>,
}

/// How a book shares what is spent at once.
#[derive(Debug, Clone)]
pub struct Automatic {
    pub share: BookShare,
    pub caps: Option<BookCaps>,
}

/// An entry to be appended.
#[derive(Debug, Clone)]
pub struct PostedEntry {
    pub sequence: i64,
    pub holder_id: UserId,
    pub amount: Normalized,
    /// The holder's balance after the entry.
    pub balance: Normalized,
    pub cause: EntryCause,
}

/// Why an entry is appended.
#[derive(Debug, Clone)]
pub enum EntryCause {
    /// The GRANT with which a holder joins.
    Joining,
    /// A GRANT by OWNER or TELLER.
    Grant { reason: String, by: UserId, run: Option<i64>, asked: Option<Normalized> },
    /// An entry of a SHARE or a DECAY.
    Run(RunEntry),
    /// The REVERSAL of the entry with this sequence, of a GRANT or of a run. Without `by` a further outcome
    /// has reversed the run.
    EntryReversal { reverses: i64, reason: String, by: Option<UserId>, run: Option<i64> },
    /// The CHARGE for a sold item.
    Charge(Sale),
    /// The CHARGE of a holder for tickets of a draw that have won nothing.
    LostTickets { item_id: ItemId, by: Option<UserId> },
    /// The REVERSAL of the CHARGE with this sequence. Without a sale it was for tickets that had won nothing.
    ChargeReversal { reverses: i64, item_id: ItemId, sale: Option<Sale>, by: UserId },
}

/// An entry that a run writes.
#[derive(Debug, Clone)]
pub struct RunEntry {
    pub kind: EntryKind,
    /// The number of the run.
    pub run: i64,
    /// The amount before caps, where they have left another.
    pub asked: Option<Normalized>,
    pub reason: String,
    /// None for what an outcome has caused.
    pub by: Option<UserId>,
}

impl EntryCause {
    fn kind(&self) -> EntryKind {
        match self {
            Self::Joining | Self::Grant { .. } => EntryKind::Grant,
            Self::Charge(_) | Self::LostTickets { .. } => EntryKind::Charge,
            Self::Run(entry) => entry.kind,
            Self::EntryReversal { .. } | Self::ChargeReversal { .. } => EntryKind::Reversal,
        }
    }

    pub fn reason(&self) -> Option<&String> {
        match self {
            Self::Grant { reason, .. } | Self::EntryReversal { reason, .. } => Some(reason),
            Self::Run(entry) => Some(&entry.reason),
            Self::Joining | Self::Charge(_) | Self::LostTickets { .. } | Self::ChargeReversal { .. } => None,
        }
    }

    /// The item that a CHARGE, or its REVERSAL, is for.
    fn item_id(&self) -> Option<ItemId> {
        match self {
            Self::LostTickets { item_id, .. } | Self::ChargeReversal { item_id, .. } => Some(*item_id),
            _ => self.sale().map(|sale| sale.item_id),
        }
    }

    fn sale(&self) -> Option<Sale> {
        match self {
            Self::Charge(sale) => Some(*sale),
            Self::ChargeReversal { sale, .. } => *sale,
            Self::Joining
            | Self::Grant { .. }
            | Self::Run(_)
            | Self::EntryReversal { .. }
            | Self::LostTickets { .. } => None,
        }
    }

    /// The number of the run that the entry belongs to.
    pub fn run(&self) -> Option<i64> {
        match self {
            Self::Grant { run, .. } | Self::EntryReversal { run, .. } => *run,
            Self::Run(entry) => Some(entry.run),
            Self::Joining | Self::Charge(_) | Self::LostTickets { .. } | Self::ChargeReversal { .. } => None,
        }
    }

    fn asked(&self) -> Option<Normalized> {
        match self {
            Self::Grant { asked, .. } => *asked,
            Self::Run(entry) => entry.asked,
            Self::Joining
            | Self::EntryReversal { .. }
            | Self::Charge(_)
            | Self::LostTickets { .. }
            | Self::ChargeReversal { .. } => None,
        }
    }

    /// Whether a holder is told of the entry, unless the holder has made it.
    pub fn is_told(&self) -> bool {
        matches!(self, Self::Run(_) | Self::EntryReversal { .. }) || self.by().is_some()
    }

    fn reverses(&self) -> Option<i64> {
        match self {
            Self::EntryReversal { reverses, .. } | Self::ChargeReversal { reverses, .. } => Some(*reverses),
            Self::Joining
            | Self::Grant { .. }
            | Self::Run(_)
            | Self::Charge(_)
            | Self::LostTickets { .. } => None,
        }
    }

    /// The user who has made the entry. None if the clock did, or a user joined.
    pub fn by(&self) -> Option<UserId> {
        match self {
            Self::Grant { by, .. } => Some(*by),
            Self::EntryReversal { by, .. } | Self::LostTickets { by, .. } => *by,
            Self::Run(entry) => entry.by,
            Self::ChargeReversal { by, .. } => Some(*by),
            Self::Joining | Self::Charge(_) => self.sale()?.by,
        }
    }
}

/// A sold item, its outcome, and the user who decided it; none if the clock did.
#[derive(Debug, Clone, Copy)]
pub struct Sale {
    pub item_id: ItemId,
    pub outcome_id: OutcomeId,
    /// The copy of the item.
    pub copy: i64,
    /// Among the outcomes of the copy.
    pub number: i64,
    pub by: Option<UserId>,
}

#[derive(sqlx_macros::FromRow)]
struct BookRow {
    id: BookId,
    revision: i64,
    last_sequence: i64,
    starting_balance: Parsed<Normalized>,
    credit_limit: Parsed<Normalized>,
    share: Option<Json<BookShare>>,
    caps: Option<Json<BookCaps>>,
}

/// The books with these ids.
pub async fn read(conn: &mut Connection, ids: &[BookId]) -> Result<HashMap<BookId, BatchBook>, DbError> {
    let found: Vec<BookRow> = query(for_each_row!(
        "SELECT b.id, b.revision, b.last_sequence, b.starting_balance, b.credit_limit, b.share, b.caps FROM",
        [id id],
        "JOIN books b ON b.id = given.id"
    ))
    .bind(rows(ids.iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await?;
    let book = |row: BookRow| {
        let automatic = row.share.map(|share| share.0).filter(|share| share.automatic);
        let caps = row.caps.map(|caps| caps.0);
        let book = BatchBook {
            revision: row.revision,
            last_sequence: row.last_sequence,
            starting_balance: row.starting_balance.0,
            credit_limit: row.credit_limit.0,
            automatic: automatic.map(|share| Automatic { share, caps }),
        };
        (row.id, book)
    };
    Ok(found.into_iter().map(book).collect())
}

/// How many holders a book has.
pub async fn holders(conn: &mut Connection, id: BookId) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM book_holders WHERE book_id = $1").bind(id).fetch_one(conn).await
}

/// The balances of those of `wanted` who are holders.
pub async fn balances(
    conn: &mut Connection,
    wanted: &[(BookId, UserId)],
) -> Result<HashMap<(BookId, UserId), Normalized>, DbError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(BookId, UserId, Option<Parsed<Normalized>>)> = query(for_each_row!(
        "SELECT h.book_id, h.user_id,
                (SELECT e.balance FROM book_entries e WHERE e.book_id = h.book_id AND e.holder_id = h.user_id
                 ORDER BY e.sequence DESC LIMIT 1) AS balance
         FROM",
        [book_id id, user_id id],
        "JOIN book_holders h ON h.book_id = given.book_id AND h.user_id = given.user_id"
    ))
    .bind(rows(wanted)?)
    .fetch_all(conn)
    .await?;
    let balance = |(book, user, balance): (BookId, UserId, Option<Parsed<Normalized>>)| {
        ((book, user), balance.map(|balance| balance.0).unwrap_or_default())
    };
    Ok(found.into_iter().map(balance).collect())
}

/// The books of which these users are holders, with their revisions.
pub async fn revisions(
    conn: &mut Connection,
    users: &[UserId],
) -> Result<Vec<(UserId, BookId, i64)>, DbError> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    query(for_each_row!(
        "SELECT h.user_id, h.book_id, b.revision FROM",
        [user_id id],
        "JOIN book_holders h ON h.user_id = given.user_id JOIN books b ON b.id = h.book_id
         WHERE b.closed_at IS NULL AND h.left_at IS NULL"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .fetch_all(conn)
    .await
}

/// Makes users HOLDER in the transaction of the bids with which they join.
pub fn insert_holders(writes: &mut WriteBatch, joining: impl Iterator<Item = (BookId, UserId)>, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO book_holders (book_id, user_id, role, joined_at)
         SELECT given.book_id, given.user_id, 'HOLDER', given.joined_at FROM",
        [book_id uuid, user_id uuid, joined_at bigint],
        "WHERE TRUE ON CONFLICT (book_id, user_id) DO NOTHING"
    );
    writes.add(STATEMENT, joining.map(|(book, user)| row![book, user, now]));
}

/// Makes users who had left holders again, in the transaction that changes what they have or have committed.
pub fn rejoin(writes: &mut WriteBatch, users: impl Iterator<Item = (BookId, UserId)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE book_holders SET left_at = NULL FROM",
        [book_id uuid, user_id uuid],
        "WHERE book_holders.book_id = given.book_id AND book_holders.user_id = given.user_id
           AND book_holders.left_at IS NOT NULL"
    );
    writes.add(STATEMENT, users.map(|(book, user)| row![book, user]));
}

/// Appends entries. The key refuses a number that is taken, and a second charge for an outcome.
pub fn append(writes: &mut WriteBatch, book_id: BookId, entries: &[PostedEntry], now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(insert book_entries [
        book_id uuid, sequence bigint, holder_id uuid, amount text, balance text, kind text, reason text,
        item_id uuid, outcome_id uuid, outcome_copy bigint, outcome_number bigint, reverses bigint, run bigint, asked text,
        by_id uuid, created_at bigint,
    ]);
    let row = |entry: &PostedEntry| {
        let (cause, sale) = (&entry.cause, entry.cause.sale());
        row![
            book_id,
            entry.sequence,
            entry.holder_id,
            entry.amount.to_string(),
            entry.balance.to_string(),
            cause.kind(),
            cause.reason(),
            cause.item_id(),
            sale.map(|sale| sale.outcome_id),
            sale.map(|sale| sale.copy),
            sale.map(|sale| sale.number),
            cause.reverses(),
            cause.run(),
            cause.asked().map(|asked| asked.to_string()),
            cause.by(),
            now,
        ]
    };
    writes.add(STATEMENT, entries.iter().map(row));
}

/// Raises the revisions of books in which bids changed what holders have committed, and records the numbers
/// of their last entries.
pub fn raise_revisions(writes: &mut WriteBatch, books: impl Iterator<Item = (BookId, i64)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE books SET revision = books.revision + 1, last_sequence = given.last_sequence FROM",
        [id uuid, last_sequence bigint],
        "WHERE books.id = given.id"
    );
    writes.add(STATEMENT, books.map(|(id, last_sequence)| row![id, last_sequence]));
}
