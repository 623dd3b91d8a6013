//! Grants from a CSV table: all rows or none. The table is read on a thread of low priority, before the
//! transaction, and its rows cost as many writes as long work does.

mod preview;
mod table;
mod units;

use std::collections::BTreeSet;

use super::access::authorize;
use super::entries::notify::notify;
use super::holders::reach::Asker;
use super::posting::{EntryRange, Posted, Posting};
use super::state::OutOfBounds;
use super::{Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::table::{TEXT_BYTES_MAX, row_path};
use platform::verb::VerbError;

pub use preview::{Preview, PreviewRow, preview, preview_import};
pub use table::{COLUMNS, Entries, EntriesRequest, EntryReason};
pub use units::BookUnits;

const BEYOND: &str = "takes the balance beyond 10^15";

/// The table as a body.
#[derive(Debug, Clone, Default)]
pub struct ImportBody {
    csv: String,
}

impl Shape for ImportBody {
    const NAME: &'static str = "BookImport";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("csv", 1..=TEXT_BYTES_MAX, &mut self.csv);
    }
}

refusals! {
    /// Why nothing is imported.
    pub enum ImportRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        TooMany => codes::LIMIT_REACHED, "A book has at most 10,000 holders.";
    }
}

/// Writes one GRANT for each row. Rows name people by their numbers in a group, if one is given. A user whom
/// the keeper reaches and who is not a holder becomes one, with the starting balance.
pub async fn import(
    context: &Context,
    asker: &Asker,
    (book_id, mut request): (BookId, EntriesRequest),
    user: UserId,
    body: impl Body + 'static,
) -> Result<Created<Vec<Entry>>, VerbError<ImportRefusal>> {
    let mut conn = context.db.read().await?;
    let seen = authorize(&mut conn, book_id, user).await?.require_keeper()?;
    request.units = BookUnits::of(&mut conn, &seen.book).await?;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    let group = request.group;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let ImportBody { csv } = shape::parse(body.read()?)?;
        let entries = Entries::read(&csv, &request).map_err(|error| vec![error])?;
        Ok::<_, VerbError<ImportRefusal>>((keyed?, entries, csv.len()))
    });
    let (keyed, table, bytes) = read.await??;
    table.charge(&context.work, user, bytes)?;
    let _turn = context.work.begin_large_write(user, table.row_count()).await?;
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let collection = match group {
        Some(group) => format!("imports/{book_id}/{group}"),
        None => format!("imports/{book_id}"),
    };
    let creation = Creation::find(&mut db, user, collection, keyed, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first, last }) = creation.replays() {
        return Ok(Created::replayed(store::entries::between(&mut db, book_id, first, last).await?));
    }
    let Preview { rows, errors, .. } = table.look_up(&mut db, asker, &seen).await?;
    if !errors.is_empty() {
        return Err(errors.into());
    }
    creation.check_key()?;
    if seen.book.is_closed() {
        return Err(ImportRefusal::Closed.into());
    }
    let users: BTreeSet<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut posting = Posting::locked(&mut db, book_id, users.iter().copied()).await?;
    posting.join(&mut db, users).await.map_err(|error| error.or(ImportRefusal::TooMany))?;
    for PreviewRow { row, user_id, amount, reason, .. } in rows {
        posting
            .book
            .grant(user_id, amount, reason, user)
            .map_err(|OutOfBounds| vec![FieldError::new(row_path(row), BEYOND)])?;
    }
    let Posted { range, entries } = posting.write(&mut db, now).await?;
    creation.record(&mut db, range, now).await?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    Ok(Created::new(store::entries::between(&mut conn, book_id, range.first, range.last).await?))
}

/// Reads a table on a thread of low priority, and counts its rows as writes of the user.
pub async fn read_table(
    context: &Context,
    user: UserId,
    request: EntriesRequest,
    text: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<Entries, Problem> {
    let read = context.work.compute(move || text().map(|csv| (Entries::read(&csv, &request), csv.len())));
    let (table, bytes) = read.await??;
    let table = table.map_err(|error| Problem::fields(vec![error]))?;
    table.charge(&context.work, user, bytes)?;
    Ok(table)
}

/// Reads a table again whose rows were counted when it was refused.
pub async fn read_refused_table(
    context: &Context,
    request: EntriesRequest,
    csv: String,
) -> Result<Entries, Problem> {
    let table = context.work.compute(move || Entries::read(&csv, &request)).await?;
    table.map_err(|error| Problem::fields(vec![error]))
}
