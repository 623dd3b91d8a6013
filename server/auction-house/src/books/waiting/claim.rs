//! Writes grants that wait for users who have become holders. A request with which a user becomes one does
//! it at once; the job of every server does it for holders of other ways, and after a failure.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::books::entries::notify::notify;
use crate::books::posting::{Posted, Posting};
use crate::books::store;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use crate::waiting::store as waiting;
use accounts::user::store::user_by_id;
use platform::db::DbError;
use platform::log_field::logged;

const ROUND_EVERY: Duration = Duration::from_secs(5);
/// Holders of one round, at most.
const HOLDERS_MAX: i64 = 256;

/// Writes what waits for holders, until `stopping`.
pub async fn run(context: Context, stopping: CancellationToken) {
    let work = async {
        loop {
            claim_all(&context).await;
            report(sweep(&context).await);
            tokio::time::sleep(ROUND_EVERY).await;
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Writes what waits for holders.
pub async fn claim_all(context: &Context) {
    report(round(context, None).await);
}

/// Writes what waits for a user in the books of which the user is a holder.
pub async fn claim_of(context: &Context, user: UserId) {
    report(round(context, Some(user)).await);
}

/// The job tries again what failed.
fn report(result: Result<(), DbError>) {
    match result {
        Err(error) if error.is_paused() || error.is_busy() || error.is_conflict() => {}
        Err(error) => tracing::error!(error = logged(&error), "can't write grants that wait"),
        Ok(()) => {}
    }
}

async fn round(context: &Context, user: Option<UserId>) -> Result<(), DbError> {
    let (now, sends_mail) = (context.clock.now(), context.notifier.outbox.sends_mail);
    let mut conn = context.db.read().await?;
    let found = usage::holders_waited_for(&mut conn, user, sends_mail, now, HOLDERS_MAX).await?;
    drop(conn);
    for (book_id, user) in found {
        claim(context, book_id, user).await?;
    }
    Ok(())
}

/// Writes the grants that wait for a holder: all of them, or none if the balance would exceed 10^15.
async fn claim(context: &Context, book_id: BookId, user: UserId) -> Result<(), DbError> {
    let (now, sends_mail) = (context.clock.now(), context.notifier.outbox.sends_mail);
    let mut db = context.db.write_in_book(book_id).await?;
    // Another server, or a request, may have written them, and the holder may have left.
    let Some(seen) = store::find(&mut db, book_id, user).await? else { return Ok(()) };
    let account = user_by_id(&mut db, user).await?;
    let account = account.filter(|account| account.email_verified_at.is_some() || !sends_mail);
    let Some(email) = account.and_then(|account| account.parsed_email()) else { return Ok(()) };
    let grants = waiting::of_email(&mut db, book_id, &email, now).await?;
    let Some(first) = grants.first().filter(|_| !seen.book.is_closed()) else { return Ok(()) };
    let by = first.by;
    let mut posting = Posting::locked(&mut db, book_id, [user]).await?;
    for grant in &grants {
        let run = store::runs::of_import(&mut db, book_id, grant.import_id).await?;
        let granted = posting.book.grant(user, grant.amount, grant.reason.clone(), grant.by, run);
        if granted.is_err() {
            return Ok(());
        }
    }
    let Posted { range, entries } = posting.write(&mut db, now).await?;
    for (grant, entry) in grants.iter().zip(range.first..) {
        waiting::set_written(&mut db, grant.id, entry).await?;
    }
    let signal = notify(context, &mut db, &seen.book, &entries, by, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(())
}

async fn sweep(context: &Context) -> Result<(), DbError> {
    let now = context.clock.now();
    if !waiting::has_expired(&mut context.db.read().await?, now).await? {
        return Ok(());
    }
    let mut db = context.db.write().await?;
    waiting::delete_expired(&mut db, now).await?;
    db.commit().await
}
