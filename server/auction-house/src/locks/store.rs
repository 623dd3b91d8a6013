//! The locks in SQL.

use platform::db::{RowLock, VersionedLock};

/// Bits of the position in the version of an auction.
const POSITION_BITS: u32 = 32;

/// Whether two versions of an auction differ in its bids alone.
pub(super) fn differ_in_bids_alone(one: i64, other: i64) -> bool {
    one >> POSITION_BITS == other >> POSITION_BITS
}

/// The last position of the events in a version of an auction.
pub(super) fn position_of(version: i64) -> i64 {
    version & ((1 << POSITION_BITS) - 1)
}

pub(super) const AUCTIONS: RowLock = RowLock {
    sqlite: Some("UPDATE auctions SET revision = revision + 1 WHERE id = $1"),
    postgres: "UPDATE auctions SET revision = revision + 1
               WHERE id IN (SELECT id FROM auctions WHERE id = ANY($1) ORDER BY id FOR UPDATE)",
};

/// For transactions that keep something beside an auction and change nothing of it.
pub(super) const UNCHANGED_AUCTIONS: RowLock = RowLock {
    sqlite: None,
    postgres: "SELECT 1 FROM auctions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
};

/// The version of an auction has two parts that only grow: above, the revision, which every change apart from
/// bids raises; in the lower [`POSITION_BITS`], the last position of its events, which every bid raises. Both
/// rows are locked, since only a locked row is read as it is after the wait. Books among the ids are locked
/// after the auctions.
pub(super) const AUCTION_VERSIONS: VersionedLock = VersionedLock {
    postgres: "SELECT id, version FROM (
                   SELECT a.id, (a.revision << 32) + h.last_position AS version
                   FROM auctions a JOIN event_heads h ON h.auction_id = a.id
                   WHERE a.id = ANY($1) ORDER BY a.id FOR NO KEY UPDATE) AS auctions
               UNION ALL
               SELECT id, revision FROM (
                   SELECT id, revision FROM books WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE) AS books",
};

/// For transactions that change a book or append entries: caches of what they change are read again. It also
/// waits for transactions that write an auction with the book.
pub(super) const BOOKS: RowLock = RowLock {
    sqlite: Some("UPDATE books SET revision = revision + 1 WHERE id = $1"),
    postgres: "UPDATE books SET revision = revision + 1
               WHERE id IN (SELECT id FROM books WHERE id = ANY($1) ORDER BY id FOR UPDATE)",
};

/// For a batch of bids, which raises the revision at its commit.
pub(super) const BOOKS_OF_BATCH: RowLock = RowLock {
    sqlite: None,
    postgres: "SELECT 1 FROM books WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
};
