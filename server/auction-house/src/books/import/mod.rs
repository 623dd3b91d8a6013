//! Grants from a CSV table: all rows or none. The table is read on a thread of low priority, before the
//! transaction, and its rows cost as many writes as long work does.

mod headless;
mod names;
mod preview;
pub mod routes;
mod table;
pub mod undo;
mod units;

use std::collections::BTreeSet;

use super::access::authorize;
use super::entries::notify::notify;
use super::holders::reach::Asker;
use super::posting::{EntryRange, Posted, Posting};
use super::runs::{BookRunKind, NewRun};
use super::state::OutOfBounds;
use super::{Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, ImportId, UserId, WaitingGrantId};
use crate::imports::{self, Counts, ImportPlace, NewImport};
use crate::locks::LockingWrites;
use crate::waiting::{self, WAITING_MAX, WaitingGrant};
use accounts::limits::Inviter;
use accounts::outbox::store::insert_book_invite;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::ids::Id;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::table::{TEXT_BYTES_MAX, listed, row_path};
use platform::time::Moment;
use platform::verb::VerbError;

pub use preview::{Preview, PreviewRow, UnknownRow, preview, preview_import};
pub use table::{EXPECTED, Entries, EntriesRequest, EntryReason, Unknown};
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
        TooManyWait => codes::LIMIT_REACHED, "A book has at most 1,000 grants that wait for people.";
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
) -> Result<Created<ImportedEntries>, VerbError<ImportRefusal>> {
    let mut conn = context.db.read().await?;
    let seen = authorize(&mut conn, book_id, user).await?.require_keeper()?;
    request.units = BookUnits::of(&mut conn, &seen.book).await?;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    let (group, repeat) = (request.group, request.repeat);
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
    if let Some(id) = creation.replays() {
        let import = imports::store::find(&mut db, ImportPlace::all_of(book_id), id).await?;
        let range = import.and_then(|import| import.entries).ok_or(VerbError::NotFound)?;
        return Ok(Created::replayed(ImportedEntries::read(&mut db, book_id, id, range, now).await?));
    }
    creation.check_key()?;
    let hash = table.hash.clone();
    ImportPlace::all_of(book_id).require_new(&mut db, hash.as_ref(), repeat).await?;
    let Preview { rows, unknown, mut errors, .. } = table.look_up(&mut db, asker, &seen).await?;
    let waiting: Vec<UnknownRow> = unknown.into_iter().filter(|row| row.waits).collect();
    if errors.is_empty() && rows.is_empty() && waiting.is_empty() {
        errors.push(FieldError::new(row_path(1), "is of a table of which nothing remains to be written"));
    }
    if !errors.is_empty() {
        return Err(listed(errors).into());
    }
    if seen.book.is_closed() {
        return Err(ImportRefusal::Closed.into());
    }
    let created = u32::try_from(rows.len() + waiting.len()).unwrap_or(u32::MAX);
    let run = store::runs::last_number(&mut db, book_id).await? + 1;
    let users: BTreeSet<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut posting = Posting::locked(&mut db, book_id, users.iter().copied()).await?;
    posting.join(&mut db, users).await.map_err(|error| error.or(ImportRefusal::TooMany))?;
    for PreviewRow { row, user_id, amount, reason, .. } in rows {
        posting
            .book
            .grant(user_id, amount, reason, user, Some(run))
            .map_err(|OutOfBounds| vec![FieldError::new(row_path(row), BEYOND)])?;
    }
    let Posted { range: EntryRange { first, last }, entries } = posting.write(&mut db, now).await?;
    // INVARIANT: a table without an error has a hash.
    let hash = hash.ok_or_else(|| DbError::Corrupt("a table without contents".to_owned()))?;
    let (id, counts) = (ImportId::new(now), Counts { created, ..Counts::default() });
    let import = NewImport { id, hash: &hash, by: user, counts, entries: Some((first, last)) };
    imports::store::keep(&mut db, book_id, import, &[], now).await?;
    let params = format!("{{\"importId\":\"{id}\"}}");
    let run = NewRun { import_id: Some(id), by: Some(user), ..NewRun::of(run, BookRunKind::Import, &params) };
    store::runs::insert(&mut db, book_id, &run, &[], now).await?;
    wait(context, asker, (&mut db, now), (book_id, id, user), waiting).await?;
    creation.record(&mut db, id, now).await?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    Ok(Created::new(ImportedEntries::read(&mut conn, book_id, id, (first, last), now).await?))
}

/// Keeps grants for unknown people, and mails each of them the link of the book, unless it was
/// mailed within a day.
async fn wait(
    context: &Context,
    asker: &Asker,
    (db, now): (&mut Transaction, Moment),
    (book_id, import_id, user): (BookId, ImportId, UserId),
    unknown: Vec<UnknownRow>,
) -> Result<(), VerbError<ImportRefusal>> {
    if unknown.is_empty() {
        return Ok(());
    }
    let count = i64::try_from(unknown.len()).unwrap_or(i64::MAX);
    if waiting::store::count(db, book_id, now).await?.saturating_add(count) > WAITING_MAX {
        return Err(ImportRefusal::TooManyWait.into());
    }
    let expires_at = now.plus_seconds(waiting::LIFETIME_SECONDS);
    let grant = |UnknownRow { email, amount, reason, .. }: UnknownRow| {
        Some(WaitingGrant {
            id: WaitingGrantId::new(now),
            import_id,
            email: email?,
            amount,
            reason,
            by: user,
            created_at: now,
            expires_at,
            mail_failed_at: None,
        })
    };
    let grants: Vec<WaitingGrant> = unknown.into_iter().filter_map(grant).collect();
    if context.notifier.outbox.sends_mail {
        let account = accounts::user::store::user_by_id(db, user).await?.ok_or(VerbError::NotFound)?;
        let is_verified = account.email_verified_at.is_some();
        let mut mailed = BTreeSet::new();
        for grant in &grants {
            let email = &grant.email;
            if !mailed.insert(email.folded()) || waiting::is_mailed(db, book_id, email, now).await? {
                continue;
            }
            let inviter = Inviter { sender: user, is_verified, address: asker.address };
            asker.limits.invite_to_stranger(inviter, email.folded())?;
            insert_book_invite(db, grant.id.uuid(), now).await?;
        }
    }
    Ok(waiting::store::insert(db, book_id, &grants).await?)
}

/// The entries that an import has written.
#[derive(Debug, Clone)]
pub struct ImportedEntries {
    pub id: ImportId,
    pub entries: Vec<Entry>,
    /// Grants of the import that still wait.
    pub waiting: Vec<WaitingGrant>,
}

impl ImportedEntries {
    async fn read(
        conn: &mut Connection,
        book_id: BookId,
        id: ImportId,
        (first, last): (i64, i64),
        now: Moment,
    ) -> Result<Self, DbError> {
        let entries = store::entries::between(conn, book_id, first, last).await?;
        let waiting = waiting::store::of_import(conn, book_id, id, now).await?;
        Ok(Self { id, entries, waiting })
    }
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
