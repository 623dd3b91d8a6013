//! The task of one topic, which delivers its events while it has listeners.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use tokio::time::Instant;

use super::Live;
use super::channel::{Channel, Message};
use super::feed::{Feed, FeedReading, Next};
use super::listeners::Permission;
use super::topic::Topic;
use crate::auctions;
use crate::ids::UserId;
use platform::db::DbError;
use platform::http::sse;
use platform::log_field::logged;
use platform::time::Moment;

/// A busy topic delivers all bids since the last delivery, and rests this many times as long as its listeners
/// took for that one, within the bounds: topics with many listeners leave time for bids.
const REST_FACTOR: u32 = 10;
const REST_MIN: Duration = Duration::from_millis(20);
const REST_MAX: Duration = Duration::from_millis(250);
/// How often the task polls without a wake-up, and authorizes the listeners again whose permission may have
/// changed.
const CHECK_EVERY: Duration = Duration::from_secs(3);
/// How often all listeners are authorized again, whatever is known to have changed.
pub(super) const SWEEP_EVERY: Duration = Duration::from_secs(60);
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

struct Task {
    live: Live,
    topic: Topic,
    channel: Channel,
    feed: Feed,
    /// The first listener.
    opened_by: UserId,
    /// The revision of the auction when all listeners were last authorized, and when that is done again.
    authorized: Option<(Option<i64>, Instant)>,
}

pub fn spawn(live: Live, channel: Channel, feed: Feed, opened_by: UserId) {
    let task = Task { live, topic: feed.topic(), channel, feed, opened_by, authorized: None };
    tokio::spawn(task.run());
}

impl Task {
    async fn run(mut self) {
        let mut stopped = self.live.0.stopped.subscribe();
        let (mut check_at, mut heartbeat_at) =
            (Instant::now() + CHECK_EVERY, Instant::now() + HEARTBEAT_EVERY);
        while !*stopped.borrow_and_update() && !self.live.close_if_idle(self.topic, &self.channel) {
            let read_at = Instant::now();
            // Before events go to a listener that has lost its permission.
            if check_at <= read_at {
                check_at = read_at + CHECK_EVERY;
                self.check_permissions().await;
            }
            let ControlFlow::Continue(next_transition) = self.deliver().await else { return };
            if heartbeat_at <= Instant::now() {
                heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
                self.send(Message::Heartbeat(sse::comment(&self.now().to_string())));
            }
            let until = check_at.min(heartbeat_at).min(self.instant_of(next_transition));
            let rest = async {
                self.rest(read_at).await;
                let _ = tokio::time::timeout_at(until, self.channel.wake.notified()).await;
            };
            tokio::select! {
                () = rest => {}
                _ = stopped.changed() => {}
            }
        }
    }

    fn now(&self) -> Moment {
        self.live.0.clock.now()
    }

    /// When to read for a transition at `moment`. Soon without one.
    fn instant_of(&self, transition: Option<Moment>) -> Instant {
        let left = transition.map_or(i64::MAX, |moment| moment.millis() - self.now().millis());
        let left = u64::try_from(left).map_or(Duration::ZERO, Duration::from_millis);
        Instant::now() + left.min(CHECK_EVERY)
    }

    /// Waits until all listeners have taken what was read at `read_at`, and rests after that.
    async fn rest(&self, read_at: Instant) {
        let latest = read_at + REST_MAX;
        while !self.channel.sender.is_empty() && Instant::now() < latest {
            let _ = tokio::time::timeout_at(latest, self.channel.taken.notified()).await;
        }
        tokio::time::sleep_until(read_at + rest_after(read_at.elapsed())).await;
    }

    /// Without listeners the message is dropped.
    fn send(&self, message: Message) {
        let _ = self.channel.sender.send(self.channel.sent(message));
    }

    /// Delivers all new events. Continues with the moment of the next transition, or breaks if the topic is
    /// deleted.
    async fn deliver(&mut self) -> ControlFlow<(), Option<Moment>> {
        loop {
            match self.read().await {
                Ok(FeedReading { batch, next }) => {
                    if !batch.is_empty() {
                        self.send(Message::Events(batch));
                    }
                    match next {
                        Next::ReadOn => {}
                        Next::Wait(transition) => return ControlFlow::Continue(transition),
                        Next::End => return ControlFlow::Break(()),
                    }
                }
                Err(error) => {
                    // The next round reads from the same point.
                    tracing::error!(error = logged(&error), "a stream's events can't be read");
                    return ControlFlow::Continue(None);
                }
            }
        }
    }

    async fn read(&mut self) -> Result<FeedReading, DbError> {
        // The auction and its items as they were at one moment: an item of an auction that is deleted
        // meanwhile looks closed until it is deleted, too.
        let mut conn = self.live.0.database.snapshot().await?;
        let now = self.now();
        // Whose view it is does not matter: only what does not depend on the viewer is used.
        let seen = auctions::store::find(&mut conn, self.topic.auction_id(), self.opened_by, now).await?;
        self.feed.read(&mut conn, seen.as_ref().map(|seen| &seen.auction), now).await
    }

    async fn check_permissions(&mut self) {
        match self.changed_permissions().await {
            Ok(changed) if changed.is_empty() => {}
            Ok(changed) => self.send(Message::Permissions(changed)),
            Err(error) => {
                tracing::error!(error = logged(&error), "the permissions of streams can't be checked");
            }
        }
    }

    /// Every change of a role, of the auction and of its drafts raises the revision of the auction.
    async fn changed_permissions(&mut self) -> Result<HashMap<u64, Permission>, DbError> {
        let mut conn = self.live.0.database.read().await?;
        let revision = auctions::store::revision(&mut conn, self.topic.auction_id()).await?;
        let is_current = |(known, until): (Option<i64>, Instant)| known == revision && Instant::now() < until;
        let all = !self.authorized.is_some_and(is_current);
        let changed = self.channel.listeners.check(&mut conn, self.topic, all, self.now()).await?;
        if all {
            self.authorized = Some((revision, Instant::now() + SWEEP_EVERY));
        }
        Ok(changed)
    }
}

/// From the beginning of a delivery that took this long to the next one.
fn rest_after(delivery: Duration) -> Duration {
    (delivery * REST_FACTOR).clamp(REST_MIN, REST_MAX)
}

/// The streams end with their topic's task, however it ends: their clients resume.
impl Drop for Task {
    fn drop(&mut self) {
        self.live.close(self.topic, &self.channel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_rests_longer_the_more_its_last_delivery_has_taken() {
        let rest = |delivery| rest_after(Duration::from_millis(delivery)).as_millis();
        assert_eq!([0, 2, 3, 10, 25, 200, 1_000].map(rest), [20, 20, 30, 100, 250, 250, 250]);
    }
}
