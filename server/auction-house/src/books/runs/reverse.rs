//! Reverses a run: the opposite of each of its entries, once.

use super::draft::{Draft, Opened};
use super::list::{WholeRun, with_entries};
use super::{BookRun, BookRunRow};
use crate::books::access::authorize;
use crate::books::entries::reverse::ReverseBody;
use crate::books::state::{OutOfBounds, Reversible};
use crate::books::store::batch::PostedEntry;
use crate::books::store::runs::WrittenRow;
use crate::books::{BookView, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::imports;
use crate::locks::LockingWrites;
use crate::waiting;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction};
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
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let run = store::runs::find(&mut conn, book_id, number).await?.ok_or(VerbError::NotFound)?;
    let ReverseBody { reason } = shape::parse(body.read()?)?;
    let rows = store::runs::entry_count(&mut conn, book_id, number).await?;
    drop(conn);
    let _turn = context.work.begin_large_write(user, usize::try_from(rows).unwrap_or(usize::MAX)).await?;
    let now = context.clock.now();
    let (shared, words) = (context.clone(), reason.clone());
    let drafted = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
        draw_up(&mut db, &seen, &run, (&words, user), now).await
    });
    // What is refused here is not judged again, while bids wait.
    let (draft, entries) = drafted.await??;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let run = store::runs::find(&mut db, book_id, number).await?.ok_or(VerbError::NotFound)?;
    let is_current = run.reversed.is_none() && draft.is_current(&mut db).await?;
    let (draft, entries) = match is_current {
        true => (draft, entries),
        false => draw_up(&mut db, &seen, &run, (&reason, user), now).await?,
    };
    let (_, signal) = draft.write(context, &mut db, now).await?;
    record(&mut db, (book_id, &run), (&reason, user), now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    with_entries(&mut conn, &seen, number, entries).await?.ok_or(VerbError::NotFound)
}

/// Reverses a run in a transaction that has locked the book. What waits of an import is taken back.
pub async fn reverse(
    db: &mut Transaction,
    seen: &BookView,
    run: &BookRun,
    (reason, user): (&str, UserId),
    now: Moment,
) -> Result<Vec<PostedEntry>, VerbError<ReverseRunRefusal>> {
    let (draft, _) = draw_up(db, seen, run, (reason, user), now).await?;
    let entries = draft.write_entries(db, now).await?;
    record(db, (seen.book.id, run), (reason, user), now).await?;
    Ok(entries)
}

/// Draws up the opposite of each entry of a run. Returns its rows with entries, too.
async fn draw_up(
    conn: &mut Connection,
    seen: &BookView,
    run: &BookRun,
    (reason, user): (&str, UserId),
    now: Moment,
) -> Result<(Draft, Vec<BookRunRow>), VerbError<ReverseRunRefusal>> {
    let book_id = seen.book.id;
    if seen.book.is_closed() {
        return Err(ReverseRunRefusal::Closed.into());
    }
    if run.reversed.is_some() {
        return Err(ReverseRunRefusal::AlreadyReversed.into());
    }
    let written = store::runs::written_rows(conn, book_id, run.number).await?;
    if written.iter().any(|entry| entry.is_reversed) {
        return Err(ReverseRunRefusal::Changed.into());
    }
    let balances = written.iter().map(|entry| (entry.row.holder.id, entry.balance_now));
    let mut opened = Opened::read(conn, book_id, balances).await?;
    for WrittenRow { sequence, row, .. } in &written {
        let (holder_id, amount) = (row.holder.id, row.amount);
        let entry = Reversible { sequence: *sequence, holder_id, amount, run: Some(run.number) };
        let reversed = opened.book.reverse_entry(entry, reason.to_owned(), user);
        reversed.map_err(|OutOfBounds| ReverseRunRefusal::Balance)?;
    }
    let rows = written.into_iter().map(|entry| entry.row).collect();
    Ok((opened.draft(conn, seen, user, now).await?, rows))
}

/// Records that a run is reversed, and takes back what waits of an import.
async fn record(
    db: &mut Transaction,
    (book_id, run): (BookId, &BookRun),
    (reason, user): (&str, UserId),
    now: Moment,
) -> Result<(), DbError> {
    store::runs::set_reversed(db, book_id, run.number, (reason, user), now).await?;
    if let Some(import_id) = run.import_id {
        waiting::store::take_back(db, import_id).await?;
        imports::store::set_undone(db, import_id, user, now).await?;
    }
    Ok(())
}
