//! Undoes an import of entries, as long as none of them was reversed: all of them are, or none.

use crate::books::access::authorize;
use crate::books::entries::notify::notify;
use crate::books::runs::reverse::{ReverseRunRefusal, reverse};
use crate::books::store;
use crate::context::Context;
use crate::ids::{BookId, ImportId, UserId};
use crate::imports::{self, Import, ImportPlace, UndoneRefusal};
use crate::locks::LockingWrites;
use platform::db::Connection;
use platform::refusals;
use platform::verb::VerbError;

/// The reason of the entries that an undo writes.
const REASON: &str = "Import undone";

refusals! {
    /// Why an import of entries is not undone.
    pub enum UndoEntriesRefusal {
    }
    wraps { Undone(UndoneRefusal), Run(ReverseRunRefusal) }
}

/// Reverses the grants of an import, and takes back those that wait. Users who have become holders stay
/// holders, with the starting balance.
pub async fn undo_import(
    context: &Context,
    book_id: BookId,
    user: UserId,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoEntriesRefusal>> {
    let (now, place) = (context.clock.now(), ImportPlace::all_of(book_id));
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let rows = undoable(&mut conn, place, import_id).await?.counts.created as usize;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    context.work.charge(user, rows, 0)?;
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    undoable(&mut db, place, import_id).await?;
    let number = store::runs::of_import(&mut db, book_id, import_id).await?.ok_or(VerbError::NotFound)?;
    let run = store::runs::find(&mut db, book_id, number).await?.ok_or(VerbError::NotFound)?;
    let reversed = reverse(&mut db, &seen, &run, (REASON, user), now).await;
    let entries = reversed.map_err(|error| error.map_refusal(UndoEntriesRefusal::Run))?;
    let import = imports::store::find(&mut db, place, import_id).await?.ok_or(VerbError::NotFound)?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(import)
}

async fn undoable(
    conn: &mut Connection,
    place: ImportPlace,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoEntriesRefusal>> {
    let import = place.undoable(conn, import_id).await;
    import.map_err(|error| error.map_refusal(UndoEntriesRefusal::Undone))
}
