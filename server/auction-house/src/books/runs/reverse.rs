//! Reverses a run: the opposite of each of its entries, once.

use std::collections::BTreeSet;

use super::Run;
use super::list::{WholeRun, whole};
use crate::books::access::authorize;
use crate::books::entries::notify::notify;
use crate::books::entries::reverse::ReverseBody;
use crate::books::posting::{Posted, Posting};
use crate::books::state::OutOfBounds;
use crate::books::store::batch::PostedEntry;
use crate::books::{BookView, Entry, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::imports;
use crate::locks::LockingWrites;
use crate::waiting;
use platform::body::Body;
use platform::db::Transaction;
use platform::refusals;
use platform::shape;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a run is not reversed.
    pub enum ReverseRunRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        AlreadyReversed => codes::ALREADY_REVERSED, "This run was reversed already.";
        Changed => codes::CHANGED, "An entry of the run was reversed since: the others stay.";
        Balance => codes::NOT_REVERSIBLE, "The balance of a holder would exceed 10^15.";
    }
}

/// Writes the opposite of each entry of a run, all of them or none.
pub async fn reverse_run(
    context: &Context,
    (book_id, number): (BookId, i64),
    user: UserId,
    body: impl Body,
) -> Result<WholeRun, VerbError<ReverseRunRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let rows = store::runs::entry_sequences(&mut conn, book_id, number).await?.len();
    drop(conn);
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let run = store::runs::find(&mut db, book_id, number).await?.ok_or(VerbError::NotFound)?;
    let ReverseBody { reason } = shape::parse(body.read()?)?;
    let entries = reverse(&mut db, &seen, &run, (&reason, user), now).await?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    whole(&mut conn, &seen, number).await?.ok_or(VerbError::NotFound)
}

/// Reverses a run in a transaction that has locked the book. What waits of an import is taken back.
pub async fn reverse(
    db: &mut Transaction,
    seen: &BookView,
    run: &Run,
    (reason, user): (&str, UserId),
    now: Moment,
) -> Result<Vec<PostedEntry>, VerbError<ReverseRunRefusal>> {
    let book_id = seen.book.id;
    if seen.book.is_closed() {
        return Err(ReverseRunRefusal::Closed.into());
    }
    if run.reversed.is_some() {
        return Err(ReverseRunRefusal::AlreadyReversed.into());
    }
    let entries = store::entries::of_run(db, book_id, run.number).await?;
    if entries.iter().any(|entry| entry.is_reversed) {
        return Err(ReverseRunRefusal::Changed.into());
    }
    let holders: BTreeSet<UserId> = entries.iter().map(|entry| entry.holder.id).collect();
    let mut posting = Posting::locked(db, book_id, holders).await?;
    let opposite = |entry: &Entry| posting.book.reverse_entry(entry, reason.to_owned(), user);
    entries.iter().try_for_each(opposite).map_err(|OutOfBounds| ReverseRunRefusal::Balance)?;
    let Posted { entries, .. } = posting.write(db, now).await?;
    store::runs::set_reversed(db, book_id, run.number, (reason, user), now).await?;
    if let Some(import_id) = run.import_id {
        waiting::store::take_back(db, import_id).await?;
        imports::store::set_undone(db, import_id, user, now).await?;
    }
    Ok(entries)
}
