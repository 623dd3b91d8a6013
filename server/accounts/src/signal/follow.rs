//! Reads what has changed, also where no signal arrives: from a command of a shell, or while the connection
//! that listens is broken.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Signal;
use super::store::{self, Written};
use platform::db::{Database, DbError};
use platform::log_field::logged;
use platform::signals::Signals;

/// How often the changes are read.
const EVERY: Duration = Duration::from_secs(1);
/// How long what is known lasts after the changes were read. A live stream has to end within five seconds of
/// losing its authorization (SPEC, section 2).
const LASTS: Duration = Duration::from_secs(4);
/// Changes that are read at a time. If more than half of them are new, some may be missing.
const READ: u8 = 200;
/// Numbers between two deletions of old changes.
const DELETED_EVERY: i64 = 500;

/// Whether this server has lately heard of all changes of accounts. Clones share it.
#[derive(Debug, Clone)]
pub struct Current(Arc<Heard>);

#[derive(Debug)]
struct Heard {
    since: Instant,
    /// Milliseconds from `since` until which what is known lasts.
    until: AtomicU64,
}

impl Default for Current {
    /// Nothing is heard yet.
    fn default() -> Self {
        Self(Arc::new(Heard { since: Instant::now(), until: AtomicU64::new(0) }))
    }
}

impl Current {
    /// Whether what is known still holds.
    pub fn holds(&self) -> bool {
        self.holds_at(Instant::now())
    }

    fn holds_at(&self, at: Instant) -> bool {
        self.millis(at) < self.0.until.load(Ordering::Acquire)
    }

    /// All changes that were committed at `heard_at` are heard.
    pub(crate) fn confirm(&self, heard_at: Instant) {
        self.0.until.store(self.millis(heard_at + LASTS), Ordering::Release);
    }

    fn millis(&self, at: Instant) -> u64 {
        at.duration_since(self.0.since).as_millis().try_into().unwrap_or(u64::MAX)
    }
}

/// Passes changes that others have written on to this server, until it stops.
pub async fn follow(db: Database, signals: Signals<Signal>, current: Current, stopping: CancellationToken) {
    let (mut seen, mut highest, mut deleted_at) = (Seen::default(), 0, 0);
    let mut due = interval(EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let work = async {
        loop {
            due.tick().await;
            let heard_at = Instant::now();
            match newest(&db, highest).await {
                Ok(newest) => {
                    highest = newest.first().map_or(highest, |one| one.number);
                    seen.take(newest).iter().for_each(|signal| signals.publish(signal));
                    current.confirm(heard_at);
                    if highest >= deleted_at + DELETED_EVERY && delete_old(&db, highest).await.is_ok() {
                        deleted_at = highest;
                    }
                }
                Err(error) => {
                    tracing::warn!(error = logged(&error), "can't read which accounts have changed")
                }
            }
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// The newest changes, also some that are not above the highest number so far.
async fn newest(db: &Database, highest: i64) -> Result<Vec<Written>, DbError> {
    store::newest_above(&mut db.read().await?, highest - i64::from(READ), READ.into()).await
}

async fn delete_old(db: &Database, highest: i64) -> Result<(), DbError> {
    let mut db = db.write().await?;
    store::delete_old(&mut db, highest).await?;
    db.commit().await
}

/// The changes that were read last, by their ids: one may be committed after others with higher numbers.
#[derive(Debug, Default)]
struct Seen(Option<HashSet<i64>>);

impl Seen {
    /// What is new, as signals.
    fn take(&mut self, newest: Vec<Written>) -> Vec<Signal> {
        let ids = newest.iter().map(|one| one.id).collect();
        let Some(seen) = self.0.replace(ids) else { return vec![Signal::EveryUser] };
        let new = Vec::from_iter(newest.iter().filter(|one| !seen.contains(&one.id)));
        if new.len() > usize::from(READ / 2) {
            return vec![Signal::EveryUser];
        }
        // A text of another release may say anything.
        new.iter().map(|one| one.signal.parse().unwrap_or(Signal::EveryUser)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::UserId;
    use platform::time::Moment;

    fn written(id: i64, signal: &Signal) -> Written {
        Written { number: id, id, signal: signal.to_string() }
    }

    #[test]
    fn each_change_is_heard_once_also_one_that_comes_late() {
        let users = [0, 1, 2].map(|second| UserId::new(Moment::from_millis(second * 1000).unwrap()));
        let [first, late, last] = users.map(Signal::User);
        let [one, two, three] = [(1, &first), (2, &late), (3, &last)].map(|(id, signal)| written(id, signal));
        let mut seen = Seen::default();
        assert_eq!(seen.take(vec![one.clone()]), [Signal::EveryUser], "nothing is known at first");
        assert_eq!(seen.take(vec![three.clone(), one.clone()]), [last]);
        assert_eq!(seen.take(vec![three.clone(), two.clone(), one.clone()]), [late]);
        assert_eq!(seen.take(vec![three, two, one]), []);
    }

    #[test]
    fn more_changes_than_are_read_are_every_user_and_so_is_an_unknown_one() {
        let user = Signal::User(UserId::new(Moment::from_millis(0).unwrap()));
        let mut seen = Seen::default();
        seen.take(Vec::new());
        let half = (1..=100).map(|id| written(id, &user));
        assert_eq!(seen.take(half.collect()).len(), 100);
        let more = (200..=300).map(|id| written(id, &user));
        assert_eq!(seen.take(more.collect()), [Signal::EveryUser]);
        let strange = Written { number: 301, id: 301, signal: "later".to_owned() };
        assert_eq!(seen.take(vec![strange]), [Signal::EveryUser]);
    }

    #[test]
    fn what_is_known_lasts_for_four_seconds() {
        let (current, now) = (Current::default(), Instant::now());
        assert!(!current.holds_at(now), "nothing is heard yet");
        current.confirm(now);
        let holds = [0, 3_990, 4_001].map(|millis| current.holds_at(now + Duration::from_millis(millis)));
        assert_eq!(holds, [true, true, false]);
    }
}
