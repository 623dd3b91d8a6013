//! Undoes an import of entries, as long as none of them was reversed: all of them are, or none.

use std::collections::BTreeSet;

use crate::books::access::authorize;
use crate::books::entries::notify::notify;
use crate::books::posting::{Posted, Posting};
use crate::books::state::OutOfBounds;
use crate::books::{Entry, EntryKind, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, ImportId, UserId};
use crate::imports::{self, Import, Place, UndoneRefusal};
use crate::locks::LockingWrites;
use crate::waiting;
use platform::db::Connection;
use platform::refusals;
use platform::verb::VerbError;

/// The reason of the entries that an undo writes.
const REASON: &str = "Import undone";

refusals! {
    /// Why an import of entries is not undone.
    pub enum UndoEntriesRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        Changed => codes::CHANGED, "An entry of the import was reversed since: the others stay.";
        Balance => codes::NOT_REVERSIBLE, "The balance of a holder would exceed 10^15.";
    }
    wraps { Undone(UndoneRefusal) }
}

/// Reverses the grants of an import, and takes back those that wait. Users who have become holders stay
/// holders, with the starting balance.
pub async fn undo_import(
    context: &Context,
    book_id: BookId,
    user: UserId,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoEntriesRefusal>> {
    let (now, place) = (context.clock.now(), Place::all_of(book_id));
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let rows = undoable(&mut conn, place, import_id).await?.counts.created as usize;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    context.work.charge(user, rows, 0)?;
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let import = undoable(&mut db, place, import_id).await?;
    if seen.book.is_closed() {
        return Err(UndoEntriesRefusal::Closed.into());
    }
    let (first, last) = import.entries.ok_or(VerbError::NotFound)?;
    let mut granted = store::entries::between(&mut db, book_id, first, last).await?;
    // Of the grants that waited, those that were written.
    for entry in waiting::store::take_back(&mut db, import_id).await? {
        granted.extend(store::entries::between(&mut db, book_id, entry, entry).await?);
    }
    // A starting balance is granted by nobody.
    granted.retain(|entry| entry.kind == EntryKind::Grant && entry.by.is_some());
    if granted.iter().any(|entry| entry.is_reversed) {
        return Err(UndoEntriesRefusal::Changed.into());
    }
    let holders: BTreeSet<UserId> = granted.iter().map(|entry| entry.holder.id).collect();
    let mut posting = Posting::locked(&mut db, book_id, holders).await?;
    let reverse = |entry: &Entry| posting.book.reverse_grant(entry, REASON.to_owned(), user);
    granted.iter().try_for_each(reverse).map_err(|OutOfBounds| UndoEntriesRefusal::Balance)?;
    let Posted { entries, .. } = posting.write(&mut db, now).await?;
    imports::store::set_undone(&mut db, import_id, user, now).await?;
    let import = imports::store::find(&mut db, place, import_id).await?.ok_or(VerbError::NotFound)?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(import)
}

async fn undoable(
    conn: &mut Connection,
    place: Place,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoEntriesRefusal>> {
    let import = place.undoable(conn, import_id).await;
    import.map_err(|error| error.map_refusal(UndoEntriesRefusal::Undone))
}
