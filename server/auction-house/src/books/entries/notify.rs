//! Notifies holders of entries that others have made.

use std::collections::BTreeMap;

use rules_engine::money::Normalized;
use rules_engine::words::Said;

use crate::books::Book;
use crate::books::store::batch::PostedEntry;
use crate::context::Context;
use crate::events::Signal;
use crate::ids::UserId;
use crate::notifications::{self, NewNotification};
use crate::usage::{self, WrittenIn};
use platform::db::{DbError, Transaction};
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
    let mut of_holders: BTreeMap<UserId, Vec<&PostedEntry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.cause.is_told() && entry.holder_id != by) {
        of_holders.entry(entry.holder_id).or_default().push(entry);
    }
    let written_in = usage::books_written_in(db, &[book.id]).await?;
    let currency = written_in.get(&book.id).map(WrittenIn::named);
    let words = |sum: Normalized| {
        Said::new(&sum.to_string(), book.terms.base_unit.noun(), currency.as_ref()).to_string()
    };
    let holders: Vec<UserId> = of_holders.keys().copied().collect();
    let since = now.plus_seconds(-UNREAD_SECONDS);
    let knowing = notifications::store::knowing_of_balance(db, book.id, &holders, since).await?;
    let new = of_holders.into_iter().filter(|(holder, _)| !knowing.contains(holder));
    let new = new.map(|(holder, entries)| {
        NewNotification::of_balance(holder, book.id, book.terms.name.clone(), sentence(&entries, words))
    });
    context.notifier.notify(db, &new.collect::<Vec<_>>(), now).await
}

/// The sum of the entries, with the reason if it is the same of all.
fn sentence(entries: &[&PostedEntry], words: impl Fn(Normalized) -> String) -> String {
    let sum = entries.iter().try_fold(Normalized::ZERO, |sum, entry| sum.checked_add(entry.amount));
    match (entries, sum) {
        ([first, others @ ..], Some(sum))
            if others.iter().all(|entry| entry.cause.reason() == first.cause.reason()) =>
        {
            let (words, reason) = (words(sum), first.cause.reason().map_or("", String::as_str));
            format!("Your balance changed by {words}: {reason}")
        }
        (_, Some(sum)) => format!("Your balance changed by {}, in {} entries.", words(sum), entries.len()),
        (_, None) => format!("Your balance changed in {} entries.", entries.len()),
    }
}
