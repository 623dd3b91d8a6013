//! Locks of the sale. A transaction that changes something of an auction locks that auction, a batch of bids
//! all of its auctions and their books, a transaction that changes a book or appends to it that book. All
//! take their locks in one order, so that no two wait for each other: auctions by id, each with the head of
//! its events, then groups, then books by id, then accounts, then the settings of the installation.

mod store;

use std::collections::BTreeSet;
use std::future::Future;

use platform::db::{Batch, Database, DbError, LockedVersions, Transaction};

use crate::ids::{AuctionId, BookId};
use platform::ids::Id;

/// Transactions that hold locks from their beginning on.
pub trait LockingWrites {
    /// A transaction with these auctions locked, their bids included. It raises their revisions, so that
    /// caches of what it may change are read again.
    fn write_in(&self, auctions: &[AuctionId]) -> impl Future<Output = Result<Transaction, DbError>> + Send;

    /// A transaction with this auction locked that changes nothing of it: its revision stays.
    fn write_beside(&self, auction: AuctionId) -> impl Future<Output = Result<Transaction, DbError>> + Send;

    /// A transaction with this book locked. It raises its revision, so that caches of its balances are read
    /// again.
    fn write_in_book(&self, book: BookId) -> impl Future<Output = Result<Transaction, DbError>> + Send;

    /// A batch of bids, with these auctions locked until its commit. With the versions that are `expected` of
    /// all of them and of their books, the commit locks them, and does nothing if a version differs.
    fn write_bids(
        &self,
        auctions: &BTreeSet<AuctionId>,
        expected: Option<LockedVersions>,
    ) -> impl Future<Output = Result<(Batch, LockedVersions), DbError>> + Send;
}

impl LockingWrites for Database {
    async fn write_in(&self, auctions: &[AuctionId]) -> Result<Transaction, DbError> {
        let ids: Vec<_> = auctions.iter().map(|id| id.uuid()).collect();
        self.write_locking(store::AUCTIONS, &ids).await
    }

    async fn write_beside(&self, auction: AuctionId) -> Result<Transaction, DbError> {
        self.write_locking(store::UNCHANGED_AUCTIONS, &[auction.uuid()]).await
    }

    async fn write_in_book(&self, book: BookId) -> Result<Transaction, DbError> {
        self.write_locking(store::BOOKS, &[book.uuid()]).await
    }

    async fn write_bids(
        &self,
        auctions: &BTreeSet<AuctionId>,
        expected: Option<LockedVersions>,
    ) -> Result<(Batch, LockedVersions), DbError> {
        let ids: Vec<_> = auctions.iter().map(|id| id.uuid()).collect();
        self.begin_batch(store::AUCTION_VERSIONS, &ids, expected).await
    }
}

/// Whether two versions of an auction, as its lock returns them, differ in its bids alone: its members,
/// currencies and rules are the same.
pub fn differ_in_bids_alone(one: i64, other: i64) -> bool {
    store::differ_in_bids_alone(one, other)
}

/// The last position of an auction's events, from a version of the auction.
pub fn position_of(version: i64) -> i64 {
    store::position_of(version)
}

/// Locks the books of the auctions of a batch, after these auctions. An optimistic batch, which has not
/// locked its auctions, locks nothing: its commit compares the revisions of the books.
pub async fn lock_books_of_batch(batch: &mut Batch, books: &BTreeSet<BookId>) -> Result<(), DbError> {
    let ids: Vec<_> = books.iter().map(|id| id.uuid()).collect();
    batch.lock(store::BOOKS_OF_BATCH, &ids).await
}

/// Waits until the transaction has locked this book, after its auctions. Raises its revision.
pub async fn lock_book(transaction: &mut Transaction, book: BookId) -> Result<(), DbError> {
    transaction.lock(store::BOOKS, &[book.uuid()]).await
}
