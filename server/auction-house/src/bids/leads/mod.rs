//! Who was outbid, and who leads again: a projection of the ledger. A bid writes nothing for other users;
//! this job reads what was committed, from a position that is kept for each auction, and moves it in the
//! transaction that writes the notifications. So each change is considered once, whatever ends in between,
//! and whichever server does it; and it is told only if it is still true.
//!
//! A commit of this server wakes the job. What other servers commit is theirs to tell: if they have not done
//! so within half a second, because they were killed, say, this server does it.

mod changes;
mod due;
mod item;
mod read;
pub mod recent;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::changes::Cause;
use self::due::{Due, Watched};
use self::read::{News, read};
use self::recent::RecentBids;
use super::store::leads::LedgerPart;
use crate::context::Context;
use crate::events::{self, Signal};
use crate::ids::AuctionId;
use crate::notifications::store::heads;
use crate::notifications::{self, NewNotification, signal_to};
use crate::usage;
use platform::db::{DbError, WriteBatch};
use platform::ids::{Id, Uuid};
use platform::log_field::logged;
use platform::signals::Subscriber;

/// How often the ledger is read at most, each time with everything since: a duel makes few notifications.
const BURST_EVERY: Duration = Duration::from_millis(300);
/// How long the next attempt waits after one that failed.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// How long after a commit of another server its notifications are looked for, and how much later they are
/// written here.
const LOOK_AFTER: Duration = Duration::from_millis(150);
const TAKE_OVER_AFTER: Duration = Duration::from_millis(400);
/// Notifications of one transaction, at most, except several of one cause: bids wait for it.
const PART: usize = 200;
/// Auctions that are looked up at a time.
const AUCTIONS: i64 = 256;

/// The auctions whose bidders may have to be told something. Clones share them.
#[derive(Clone, Default)]
pub struct LeadNotices(Arc<Waiting>);

#[derive(Default)]
struct Waiting {
    due: parking_lot::Mutex<Due>,
    wake: Notify,
    recent: RecentBids,
}

/// Hears the signals of other servers.
pub struct OfOtherServers(pub LeadNotices);

impl Subscriber<Signal> for LeadNotices {
    fn hear(&self, signal: &Signal) {
        self.0.due.lock().add(signal);
        self.0.wake.notify_one();
    }
}

impl Subscriber<Signal> for OfOtherServers {
    fn hear(&self, signal: &Signal) {
        let is_new = self.0.0.due.lock().watch(signal, Instant::now() + LOOK_AFTER);
        if is_new {
            self.0.0.wake.notify_one();
        }
    }
}

impl LeadNotices {
    /// Where the bid queue leaves what it commits.
    pub fn recent(&self) -> RecentBids {
        self.0.recent.clone()
    }

    /// Tells bidders of what changes, until `stopping`. What was not told before the start comes first.
    pub async fn run(self, context: Context, stopping: CancellationToken) {
        self.hear(&Signal::Everything);
        let work = async {
            loop {
                let round_at = Instant::now();
                let rest = if self.round(&context).await { BURST_EVERY } else { RETRY_DELAY };
                tokio::time::sleep_until(round_at + rest).await;
                self.wait().await;
            }
        };
        stopping.run_until_cancelled(work).await;
    }

    /// Until something is due.
    async fn wait(&self) {
        loop {
            let next = self.0.due.lock().next();
            let woken = self.0.wake.notified();
            match next {
                Some(next) if next <= Instant::now() => return,
                Some(next) => drop(tokio::time::timeout_at(next, woken).await),
                None => woken.await,
            }
        }
    }

    /// Tells what is due. What fails stays due. Whether nothing has failed.
    async fn round(&self, context: &Context) -> bool {
        let due = self.0.due.lock().take(Instant::now());
        let mut has_failed = false;
        if due.is_everything
            && let Err(error) = tell_all(context, &self.0.recent).await
        {
            report(&error);
            self.hear(&Signal::Everything);
            has_failed = true;
        }
        for auction_id in due.auctions {
            if let Err(error) = tell(context, auction_id, &self.0.recent).await {
                report(&error);
                self.0.due.lock().auctions.insert(auction_id);
                has_failed = true;
            }
        }
        for (auction_id, watched) in due.watched {
            if let Err(error) = self.look(context, auction_id, watched).await {
                report(&error);
                self.0.due.lock().auctions.insert(auction_id);
                has_failed = true;
            }
        }
        !has_failed
    }

    /// Looks whether another server has told what it has committed.
    async fn look(&self, context: &Context, auction_id: AuctionId, watched: Watched) -> Result<(), DbError> {
        let Some(Heads { told, last }) = Heads::read(context, auction_id).await? else { return Ok(()) };
        if watched.head.is_some_and(|head| told < head) {
            return tell(context, auction_id, &self.0.recent).await;
        }
        if told < last {
            let watched = Watched { at: Instant::now() + TAKE_OVER_AFTER, head: Some(last) };
            self.0.due.lock().watched.entry(auction_id).or_insert(watched);
        }
        Ok(())
    }
}

/// Tells all bidders of all that they have not been told.
pub async fn tell_all(context: &Context, recent: &RecentBids) -> Result<(), DbError> {
    let mut after = AuctionId::of(Uuid::nil());
    loop {
        let found = usage::with_untold_leads(&mut context.db.read().await?, after, AUCTIONS).await?;
        let Some(last) = found.last() else { return Ok(()) };
        after = *last;
        for auction_id in found {
            tell(context, auction_id, recent).await?;
        }
    }
}

/// How far the ledger of an auction goes, and up to where its bidders were told.
struct Heads {
    told: i64,
    last: i64,
}

impl Heads {
    async fn read(context: &Context, auction_id: AuctionId) -> Result<Option<Self>, DbError> {
        let mut db = context.db.read().await?;
        let Some(told) = heads::position(&mut db, auction_id).await? else { return Ok(None) };
        let last = events::store::last_position(&mut db, auction_id).await?;
        Ok(Some(Self { told, last }))
    }
}

/// Tells the bidders of an auction what has changed since they were told.
async fn tell(context: &Context, auction_id: AuctionId, recent: &RecentBids) -> Result<(), DbError> {
    while let Some(Heads { told, last }) = Heads::read(context, auction_id).await? {
        recent.drop_until(auction_id, told);
        if told >= last {
            return Ok(());
        }
        let part = LedgerPart { auction_id, after: told, up_to: last };
        let news = read(&mut context.db.read().await?, part, recent.of(part)).await?;
        if !news.is_any && news.up_to == last {
            // Changes other than bids move the head of the events, too.
            return Ok(());
        }
        let is_all = news.up_to == last;
        // If another server has told a part of it meanwhile, the rest is read again.
        if write(context, auction_id, told, news).await? && is_all {
            recent.drop_until(auction_id, last);
            return Ok(());
        }
    }
    Ok(())
}

/// Writes what a part of the ledger past `told` has to tell, in several transactions, each with the position
/// that it has come to. Whether no other server has moved the position.
async fn write(context: &Context, auction_id: AuctionId, mut told: i64, news: News) -> Result<bool, DbError> {
    let mut rest = news.told;
    loop {
        let (to, new) = next_part(&mut rest, news.up_to, PART);
        if !write_part(context, auction_id, (told, to), &new).await? {
            return Ok(false);
        }
        if rest.is_empty() {
            return Ok(true);
        }
        told = to;
    }
}

/// Takes about `most` of the `rest`, and the position to which that comes. Those of one cause stay together:
/// the position is past the cause or before it.
fn next_part(
    rest: &mut Vec<(Cause, NewNotification)>,
    up_to: i64,
    most: usize,
) -> (i64, Vec<NewNotification>) {
    let last = most.min(rest.len()).checked_sub(1).and_then(|last| rest.get(last));
    let last = last.map(|(cause, _)| cause.position);
    let many = last.map_or(0, |last| rest.partition_point(|(cause, _)| cause.position <= last));
    let later = rest.split_off(many);
    let part = std::mem::replace(rest, later);
    let to = last.filter(|_| !rest.is_empty()).unwrap_or(up_to);
    (to, part.into_iter().map(|(_, new)| new).collect())
}

async fn write_part(
    context: &Context,
    auction_id: AuctionId,
    (from, to): (i64, i64),
    new: &[NewNotification],
) -> Result<bool, DbError> {
    let (batch, position) = notifications::heads::lock(&context.db, auction_id).await?;
    if position != Some(from) {
        return Ok(false);
    }
    let mut writes = WriteBatch::default();
    heads::advance(&mut writes, auction_id, to);
    context.notifier.write(&mut writes, new, context.clock.now());
    batch.commit(writes).await?;
    if !new.is_empty() {
        context.events.publish(&signal_to(new));
    }
    Ok(true)
}

/// A pause for an update passes, and so does a database that is away.
fn report(error: &DbError) {
    if !(error.is_paused() || error.is_busy() || error.is_conflict() || error.is_away()) {
        tracing::error!(error = logged(error), "can't tell bidders who leads");
    }
}

#[cfg(test)]
mod tests {
    use platform::time::Moment;

    use super::*;
    use crate::ids::{ItemId, UserId};
    use crate::notifications::NotificationKind;

    #[test]
    fn what_one_transaction_has_caused_is_told_in_one() {
        let at = Moment::from_millis(0).unwrap();
        let new = NewNotification::of_bid(
            UserId::new(at),
            NotificationKind::Outbid,
            AuctionId::new(at),
            ItemId::new(at),
            None,
        );
        let caused = |position| (Cause { position, at }, new.clone());
        let mut rest = Vec::from_iter([3, 5, 5, 5, 8, 9].map(caused));
        let mut taken = Vec::new();
        while !rest.is_empty() {
            let (to, part) = next_part(&mut rest, 12, 2);
            taken.push((to, part.len()));
        }
        assert_eq!(taken, [(5, 4), (12, 2)]);
        assert_eq!(next_part(&mut rest, 12, 2).0, 12, "nothing to tell");
    }
}
