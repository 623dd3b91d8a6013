//! Makes a run: a share or a decay.

use std::collections::BTreeSet;

use rules_engine::money::Normalized;

use super::body::AskedRun;
use super::judge::{Judged, RunRefusal, judge, next_number};
use super::list::{WholeRun, whole};
use super::{NewRun, RunKind, WithoutEntry};
use crate::books::access::authorize;
use crate::books::entries::notify::notify;
use crate::books::posting::{EntryRange, Posted, Posting};
use crate::books::state::{OutOfBounds, RunEntry};
use crate::books::{BookView, EntryKind, store};
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{DbError, Transaction};
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
    let asked = AskedRun::parse(body.read()?, true)?;
    judge(&mut db, &seen, &asked.params, context.clock.now()).await
}

/// Writes the entries of a run, all of them or none.
pub async fn create_run(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Created<WholeRun>, VerbError<RunRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let (keyed, object) = (body.keyed(), body.read()?);
    let rows = store::holders::all(&mut conn, book_id).await?.len();
    drop(conn);
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let creation = Creation::find(&mut db, user, format!("runs/{book_id}"), keyed?, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first: number, .. }) = creation.replays() {
        let run = whole(&mut db, &seen, number).await?.ok_or(VerbError::NotFound)?;
        return Ok(Created::replayed(run));
    }
    let asked = AskedRun::parse(object, false)?;
    creation.check_key()?;
    let judged = judge(&mut db, &seen, &asked.params, now).await?;
    if asked.expect.is_some_and(|expected| expected != judged.hash) {
        return Err(RunRefusal::Changed.into());
    }
    let (number, posted) = write_run(&mut db, &seen, &judged, (&asked.reason, Some(user)), now).await?;
    creation.record(&mut db, EntryRange { first: number, last: number }, now).await?;
    let signal = notify(context, &mut db, &seen.book, &posted.entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    Ok(Created::new(whole(&mut conn, &seen, number).await?.ok_or(VerbError::NotFound)?))
}

/// Writes a run that was judged in the transaction: its entries, and what caps have left without one.
pub async fn write_run(
    db: &mut Transaction,
    seen: &BookView,
    judged: &Judged,
    (reason, by): (&str, Option<UserId>),
    now: Moment,
) -> Result<(i64, Posted), VerbError<RunRefusal>> {
    let number = next_number(db, seen).await?;
    let kind = match judged.kind {
        RunKind::Share => EntryKind::Share,
        RunKind::Decay => EntryKind::Decay,
        RunKind::Grant | RunKind::Import => EntryKind::Grant,
    };
    let holders: BTreeSet<UserId> = judged.rows.iter().map(|row| row.holder.id).collect();
    let mut posting = Posting::locked(db, seen.book.id, holders).await?;
    let mut without = Vec::new();
    for (position, row) in (0_i64..).zip(&judged.rows) {
        if row.amount == Normalized::ZERO {
            let (holder_id, asked, balance) = (row.holder.id, row.asked, row.after);
            without.push(WithoutEntry { position, holder_id, asked, balance });
            continue;
        }
        let asked = (row.asked != row.amount).then_some(row.asked);
        let entry = RunEntry { kind, run: number, asked, reason: reason.to_owned(), by };
        // INVARIANT: the run was judged with these balances.
        let posted = posting.book.run(row.holder.id, row.amount, entry);
        posted.map_err(|OutOfBounds| DbError::Corrupt("a run beyond the bounds of balances".to_owned()))?;
    }
    let posted = posting.write(db, now).await?;
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
        by,
    };
    store::runs::insert(db, seen.book.id, &run, &without, now).await?;
    Ok((number, posted))
}
