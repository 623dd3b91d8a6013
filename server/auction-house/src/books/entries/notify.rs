//! Notifies holders of entries that others have made.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rules_engine::money::Normalized;
use rules_engine::words::Said;

use crate::books::store::batch::PostedEntry;
use crate::books::{Book, NamedBook};
use crate::context::Context;
use crate::events::Signal;
use crate::ids::{BookId, UserId};
use crate::notifications::{self, NewNotification};
use crate::usage::{self, WrittenIn};
use platform::db::{Connection, DbError, Transaction};
use platform::time::Moment;

/// A holder who has not read of a change of the balance gets no further notification for so long.
const UNREAD_SECONDS: i64 = 3600;

/// Writes one notification for each holder with entries, except `by` and those with which a holder joined.
/// The signal is to be published after the commit.
pub async fn notify(
    context: &Context,
    db: &mut Transaction,
    book: &Book,
    entries: &[PostedEntry],
    by: UserId,
    now: Moment,
) -> Result<Signal, DbError> {
    let notices = notices(db, book, entries, by, now).await?;
    context.notifier.notify(db, &notices, now).await
}

/// One notification for each holder with entries, except `by` and those with which a holder joined.
pub async fn notices(
    conn: &mut Connection,
    book: &Book,
    entries: &[PostedEntry],
    by: UserId,
    now: Moment,
) -> Result<Vec<NewNotification>, DbError> {
    let named = NamedBook { name: book.terms.name.clone(), base_unit: book.terms.base_unit.clone() };
    let mut words = BalanceWords::read(conn, book.id, named).await?;
    let holders: BTreeSet<UserId> = entries.iter().map(|entry| entry.holder_id).collect();
    words.learn(conn, &Vec::from_iter(holders), now).await?;
    Ok(words.notices(entries.iter(), Some(by)))
}

/// What notifications of balances need.
#[derive(Debug)]
pub struct BalanceWords {
    book_id: BookId,
    named: NamedBook,
    currency: Option<WrittenIn>,
    /// Holders who have not read of an earlier change of the balance.
    knowing: HashSet<UserId>,
}

impl BalanceWords {
    pub async fn read(conn: &mut Connection, book_id: BookId, named: NamedBook) -> Result<Self, DbError> {
        let currency = usage::books_written_in(conn, &[book_id]).await?.remove(&book_id);
        Ok(Self { book_id, named, currency, knowing: HashSet::new() })
    }

    /// Reads which of these holders have not read of an earlier change.
    pub async fn learn(
        &mut self,
        conn: &mut Connection,
        holders: &[UserId],
        now: Moment,
    ) -> Result<(), DbError> {
        let since = now.plus_seconds(-UNREAD_SECONDS);
        let knowing = notifications::store::knowing_of_balance(conn, self.book_id, holders, since).await?;
        self.knowing.extend(knowing);
        Ok(())
    }

    /// One notification for each holder with entries, except `by` and those with which a holder joined.
    pub fn notices<'e>(
        &self,
        entries: impl Iterator<Item = &'e PostedEntry>,
        by: Option<UserId>,
    ) -> Vec<NewNotification> {
        let mut of_holders: BTreeMap<UserId, Vec<&PostedEntry>> = BTreeMap::new();
        for entry in entries.filter(|entry| entry.cause.is_told() && Some(entry.holder_id) != by) {
            of_holders.entry(entry.holder_id).or_default().push(entry);
        }
        let currency = self.currency.as_ref().map(WrittenIn::named);
        let words = |sum: Normalized| {
            Said::new(&sum.to_string(), self.named.base_unit.noun(), currency.as_ref()).to_string()
        };
        let new = of_holders.into_iter().filter(|(holder, _)| !self.knowing.contains(holder));
        let new = new.filter_map(|(holder, entries)| Some((holder, sentence(&entries, words)?)));
        let name = &self.named.name;
        new.map(|(holder, sentence)| {
            NewNotification::of_balance(holder, self.book_id, name.clone(), sentence)
        })
        .collect()
    }
}

/// The sum of the entries, with the reason if it is the same of all. None if they leave the balance as it
/// was.
fn sentence(entries: &[&PostedEntry], words: impl Fn(Normalized) -> String) -> Option<String> {
    let sum = entries.iter().try_fold(Normalized::ZERO, |sum, entry| sum.checked_add(entry.amount));
    Some(match (entries, sum) {
        (_, Some(Normalized::ZERO)) => return None,
        ([first, others @ ..], Some(sum))
            if others.iter().all(|entry| entry.cause.reason() == first.cause.reason()) =>
        {
            let (words, reason) = (words(sum), first.cause.reason().map_or("", String::as_str));
            format!("Your balance changed by {words}: {reason}")
        }
        (_, Some(sum)) => format!("Your balance changed by {}, in {} entries.", words(sum), entries.len()),
        (_, None) => format!("Your balance changed in {} entries.", entries.len()),
    })
}
