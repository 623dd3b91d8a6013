//! Notifies holders of entries that others have made.

use crate::books::{Book, Entry};
use crate::context::Context;
use crate::events::Signal;
use crate::ids::UserId;
use crate::notifications::NewNotification;
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Writes a notification for each entry, except those of `by` and those with which a holder joined. The
/// signal is to be published after the commit.
pub async fn notify(
    context: &Context,
    db: &mut Transaction,
    book: &Book,
    entries: &[Entry],
    by: UserId,
    now: Moment,
) -> Result<Signal, DbError> {
    let of_others = entries.iter().filter(|entry| entry.by.is_some() && entry.holder.id != by);
    let new = of_others.map(|entry| {
        let reason = entry.reason.as_deref().unwrap_or_default();
        let sentence = format!("Your balance changed by {}: {reason}", entry.amount);
        NewNotification::of_balance(entry.holder.id, book.terms.name.clone(), sentence)
    });
    context.notifier.notify(db, &new.collect::<Vec<_>>(), now).await
}
