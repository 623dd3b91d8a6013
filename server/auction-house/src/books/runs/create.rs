//! Makes a run: a share or a decay.

use rules_engine::money::Normalized;
use rules_engine::pot::RunParams;

use super::body::{AskedRun, parse_preview};
use super::draft::{Draft, Opened};
use super::judge::{Judged, RunRefusal, judge};
use super::list::{WholeRun, find_run, whole};
use super::{BookRunKind, NewRun, WithoutEntry};
use crate::books::access::authorize;
use crate::books::posting::EntryRange;
use crate::books::state::{OutOfBounds, RunEntry};
use crate::books::{BookView, EntryKind, store};
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events::Signal;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction};
use platform::time::Moment;
use platform::verb::VerbError;

/// Computes what a run would do. Nothing is written.
pub async fn preview_run(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Judged, VerbError<RunRefusal>> {
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let params = parse_preview(body.read()?)?;
    drop(db);
    let (shared, now) = (context.clone(), context.clock.now());
    let judged = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        judge(&mut db, &seen, &params, now).await
    });
    judged.await?
}

/// Writes the entries of a run, all of them or none.
pub async fn create_run(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Created<WholeRun>, VerbError<RunRefusal>> {
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let (keyed, object) = (body.keyed(), body.read()?);
    let holders = store::batch::holders(&mut conn, book_id).await?;
    drop(conn);
    // A repeated request gets its answer whatever it asks for now.
    let asked = AskedRun::parse(object);
    let _turn = context.work.begin_large_write(user, usize::try_from(holders).unwrap_or(usize::MAX)).await?;
    let now = context.clock.now();
    let drafted = match &asked {
        Ok(asked) => Some(draw_up_outside(context, (book_id, user), asked, now).await),
        Err(_) => None,
    };
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let creation = Creation::find(&mut db, user, format!("runs/{book_id}"), keyed?, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first: number, .. }) = creation.replays() {
        let run = whole(&mut db, &seen, number).await?.ok_or(VerbError::NotFound)?;
        return Ok(Created::replayed(run));
    }
    let asked = asked?;
    creation.check_key()?;
    let drafted = match drafted {
        Some(Err(refused)) => return Err(refused),
        Some(Ok(drafted)) if drafted.draft.is_current(&mut db).await? => drafted,
        _ => draw_up(&mut db, &seen, &asked.params, (&asked.reason, user), now).await?,
    };
    if asked.expect.is_some_and(|expected| expected != drafted.judged.hash) {
        return Err(RunRefusal::Changed.into());
    }
    let number = drafted.number;
    let (judged, signal) = drafted.write(context, &mut db, (&asked.reason, user), now).await?;
    creation.record(&mut db, EntryRange { first: number, last: number }, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    let run = find_run(&mut conn, &seen, number).await?.ok_or(VerbError::NotFound)?;
    Ok(Created::new(WholeRun { run, rows: judged.rows }))
}

/// Draws up a run before its transaction. What is refused here is not judged again, while bids wait.
async fn draw_up_outside(
    context: &Context,
    (book_id, user): (BookId, UserId),
    AskedRun { params, reason, .. }: &AskedRun,
    now: Moment,
) -> Result<DraftedRun, VerbError<RunRefusal>> {
    let (shared, params, reason) = (context.clone(), params.clone(), reason.clone());
    let drafted = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
        draw_up(&mut db, &seen, &params, (&reason, user), now).await
    });
    drafted.await?
}

/// A run that is judged, with its entries.
struct DraftedRun {
    judged: Judged,
    number: i64,
    without: Vec<WithoutEntry>,
    draft: Draft,
}

/// Judges a run, and draws up its entries.
async fn draw_up(
    conn: &mut Connection,
    seen: &BookView,
    params: &RunParams,
    (reason, by): (&str, UserId),
    now: Moment,
) -> Result<DraftedRun, VerbError<RunRefusal>> {
    let judged = judge(conn, seen, params, now).await?;
    let kind = match judged.kind {
        BookRunKind::Share => EntryKind::Share,
        BookRunKind::Decay => EntryKind::Decay,
        BookRunKind::Grant | BookRunKind::Import => EntryKind::Grant,
    };
    // Of a holder with several rows, the first one begins with the balance.
    let balances = judged.rows.iter().rev().map(|row| (row.holder.id, row.before));
    let mut opened = Opened::read(conn, seen.book.id, balances).await?;
    let number = opened.next_run();
    let mut without = Vec::new();
    for (position, row) in (0_i64..).zip(&judged.rows) {
        if row.amount == Normalized::ZERO {
            let (holder_id, asked, balance) = (row.holder.id, row.asked, row.after);
            without.push(WithoutEntry { position, holder_id, asked, balance });
            continue;
        }
        let asked = (row.asked != row.amount).then_some(row.asked);
        let entry = RunEntry { kind, run: number, asked, reason: reason.to_owned(), by: Some(by) };
        // INVARIANT: the run was judged with these balances.
        let posted = opened.book.run(row.holder.id, row.amount, entry);
        posted.map_err(|OutOfBounds| DbError::Corrupt("a run beyond the bounds of balances".to_owned()))?;
    }
    let draft = opened.draft(conn, seen, by, now).await?;
    Ok(DraftedRun { judged, number, without, draft })
}

impl DraftedRun {
    /// Writes the run. The signal is to be published after the commit.
    async fn write(
        self,
        context: &Context,
        db: &mut Transaction,
        (reason, by): (&str, UserId),
        now: Moment,
    ) -> Result<(Judged, Signal), DbError> {
        let Self { judged, number, without, draft } = self;
        let book_id = draft.book_id();
        let (_, signal) = draft.write(context, db, now).await?;
        let run = NewRun {
            number,
            kind: judged.kind,
            params: &judged.params,
            reason: Some(reason),
            kept: judged.result.kept,
            auction_id: judged.auction_id,
            item_id: judged.item_id,
            import_id: None,
            period: judged.period.as_deref(),
            by: Some(by),
        };
        store::runs::insert(db, book_id, &run, &without, now).await?;
        Ok((judged, signal))
    }
}
