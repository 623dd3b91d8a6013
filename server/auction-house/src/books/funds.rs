//! What a holder has in a book, and how much of it is free for another bid (SPEC, section 12).

use std::collections::HashMap;

use rules_engine::bounds::{MAX_NORMALIZED, MIN_AVAILABLE};
use rules_engine::money::Normalized;

use super::store::batch::{self as store, BatchBook};
use crate::ids::{BookId, UserId};
use crate::usage::{self, Commitments};
use platform::db::{Connection, DbError};

/// What one holder has in a book, in base units. What is committed is derived from the bids that lead, and
/// never stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Funds {
    pub balance: Normalized,
    pub credit_limit: Normalized,
    pub committed: Committed,
}

/// The sum of the standing bids with which a holder leads items without an outcome, and of the holder's
/// sealed bids, in all auctions of a book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Committed(i128);

/// What a user has in a book now. A user who is not a holder has the starting balance, which comes with
/// joining.
pub async fn of(conn: &mut Connection, book_id: BookId, user_id: UserId) -> Result<Funds, DbError> {
    let found = of_books(conn, &[book_id], user_id).await?.remove(&book_id);
    found.ok_or_else(|| DbError::Corrupt(format!("no book `{book_id}`")))
}

/// What a user has in several books, read with as many queries as for one of them.
pub async fn of_books(
    conn: &mut Connection,
    books: &[BookId],
    user_id: UserId,
) -> Result<HashMap<BookId, Funds>, DbError> {
    if books.is_empty() {
        return Ok(HashMap::new());
    }
    let wanted: Vec<_> = books.iter().map(|book_id| (*book_id, user_id)).collect();
    let balances = store::balances(conn, &wanted).await?;
    let mut committed: HashMap<BookId, Committed> = HashMap::new();
    for (book_id, bid) in usage::commitments_of(conn, books, user_id, Commitments::All).await? {
        committed.entry(book_id).or_default().add(bid);
    }
    let found = store::read(conn, books).await?.into_iter();
    let funds = found.map(|(book_id, book)| {
        let balance = balances.get(&(book_id, user_id)).copied();
        (book_id, Funds::new(&book, balance, committed.get(&book_id).copied()))
    });
    Ok(funds.collect())
}

/// What several users have in one book as [`of`] says it, read with as many queries as for one of them.
pub async fn of_all(
    conn: &mut Connection,
    book_id: BookId,
    users: &[UserId],
    which: Commitments,
) -> Result<Vec<(UserId, Funds)>, DbError> {
    let book = store::read(conn, &[book_id]).await?.remove(&book_id);
    let book = book.ok_or_else(|| DbError::Corrupt(format!("no book `{book_id}`")))?;
    let wanted: Vec<_> = users.iter().map(|user| (book_id, *user)).collect();
    let balances = store::balances(conn, &wanted).await?;
    let mut committed: HashMap<UserId, Committed> = HashMap::new();
    for (user, bid) in usage::commitments(conn, book_id, which).await? {
        committed.entry(user).or_default().add(bid);
    }
    let funds = |user: &UserId| {
        let balance = balances.get(&(book_id, *user)).copied();
        Funds::new(&book, balance, committed.get(user).copied())
    };
    Ok(users.iter().map(|user| (*user, funds(user))).collect())
}

impl Committed {
    pub fn add(&mut self, bid: Normalized) {
        self.0 = self.0.saturating_add(bid.mantissa());
    }

    pub fn remove(&mut self, bid: Normalized) {
        self.0 = self.0.saturating_sub(bid.mantissa());
    }

    pub fn amount(self) -> Normalized {
        bounded(self.0)
    }
}

impl Funds {
    /// Funds of a user in a book. A user without a balance is not a holder yet, and has the starting
    /// balance, which comes with joining.
    fn new(book: &BatchBook, balance: Option<Normalized>, committed: Option<Committed>) -> Self {
        Self {
            balance: balance.unwrap_or(book.starting_balance.max(Normalized::ZERO)),
            credit_limit: book.credit_limit,
            committed: committed.unwrap_or_default(),
        }
    }

    /// Balance and credit less what is committed; below zero for a holder who has committed more.
    pub fn available(&self) -> Normalized {
        bounded(self.free())
    }

    /// Available for an item that the holder leads with the bid `own`: a higher bid replaces it. The engine
    /// takes amounts up to 10^15.
    pub fn available_for(&self, own: Option<Normalized>) -> Normalized {
        let free = self.free().saturating_add(own.map_or(0, Normalized::mantissa));
        bounded(free.clamp(MIN_AVAILABLE.mantissa(), MAX_NORMALIZED.mantissa()))
    }

    fn free(&self) -> i128 {
        let has = self.balance.mantissa().saturating_add(self.credit_limit.mantissa());
        has.saturating_sub(self.committed.0)
    }
}

/// A sum that amounts of 10^15 can't exceed, as an amount.
fn bounded(sum: i128) -> Normalized {
    const MOST: i128 = MAX_NORMALIZED.mantissa().saturating_mul(999);
    Normalized::from_mantissa(sum.clamp(MOST.saturating_neg(), MOST)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Normalized {
        text.parse().unwrap()
    }

    #[test]
    fn a_higher_bid_of_ones_own_takes_the_difference_only() {
        let mut committed = Committed::default();
        committed.add(amount("70"));
        committed.add(amount("20.5"));
        let mut funds = Funds { balance: amount("100"), credit_limit: amount("5"), committed };
        assert_eq!(funds.available(), amount("14.5"));
        assert_eq!(funds.available_for(Some(amount("70"))), amount("84.5"));
        funds.balance = amount("-10");
        assert_eq!(funds.available(), amount("-95.5"));
        funds.committed.remove(amount("70"));
        assert_eq!(funds.available(), amount("-25.5"));
    }

    #[test]
    fn an_amount_out_of_the_engines_range_is_clamped() {
        let most = Funds { balance: MAX_NORMALIZED, credit_limit: MAX_NORMALIZED, committed: Committed(0) };
        assert_eq!(most.available_for(None), MAX_NORMALIZED);
        assert_eq!(most.available(), amount("2000000000000000"));
        let least = Funds { balance: amount("-3000000000000000"), ..Funds::default() };
        assert_eq!(least.available_for(None), MIN_AVAILABLE);
    }
}
