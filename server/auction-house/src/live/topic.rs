//! The task that tells what happens to one item, or in one auction, as long as somebody listens.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::time::Instant;

use super::news::{self, News};
use super::read::{self, Known};
use super::seats::Right;
use super::{Channel, Live, Topic};
use crate::auctions;
use crate::auctions::Auction;
use crate::items::store::turns;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// A busy item is told of this often, with all its bids since.
const BURST_EVERY: Duration = Duration::from_millis(250);
/// So often it is asked who still may listen, and looked for what nobody has woken the task for.
const CHECK_EVERY: Duration = Duration::from_secs(3);
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

/// What all listeners of a topic are handed.
#[derive(Debug, Clone)]
pub enum Message {
    News(Arc<News>),
    /// Whose right has changed, by their number.
    Rights(Arc<HashMap<u64, Right>>),
    Heartbeat(Bytes),
}

/// Where a topic stands.
#[derive(Debug, Clone)]
pub struct Start {
    /// Told up to this sequence of the item, or position in the auction.
    pub upto: i64,
    /// What the clock did until then is told.
    pub at: Moment,
    /// Of an item: as it is known.
    pub known: Option<Known>,
}

struct Task {
    live: Live,
    topic: Topic,
    channel: Channel,
    told: Start,
    next_turn: Option<Moment>,
}

pub fn spawn(live: Live, topic: Topic, channel: Channel, start: Start) {
    let task = Task { live, topic, channel, told: start, next_turn: None };
    tokio::spawn(task.run());
}

impl Task {
    async fn run(mut self) {
        let mut stopped = self.live.0.stopped.subscribe();
        let (mut check_at, mut heartbeat_at) =
            (Instant::now() + CHECK_EVERY, Instant::now() + HEARTBEAT_EVERY);
        while !*stopped.borrow_and_update() && !self.live.close_if_idle(self.topic, &self.channel) {
            let looked_at = Instant::now();
            // Before anything is told to somebody who has lost the right to it.
            if check_at <= looked_at {
                check_at = looked_at + CHECK_EVERY;
                self.check_rights().await;
            }
            self.look_and_tell().await;
            if heartbeat_at <= Instant::now() {
                heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
                self.send(Message::Heartbeat(news::heartbeat(self.now())));
            }
            let until = check_at.min(heartbeat_at).min(self.next_turn_at());
            let rest = async {
                tokio::time::sleep_until(looked_at + BURST_EVERY).await;
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

    fn next_turn_at(&self) -> Instant {
        let left = self.next_turn.map_or(i64::MAX, |turn| turn.millis() - self.now().millis());
        let left = u64::try_from(left).map_or(Duration::ZERO, Duration::from_millis);
        Instant::now() + left.min(CHECK_EVERY)
    }

    /// Nobody who listens is no failure.
    fn send(&self, message: Message) {
        let _ = self.channel.sender.send(message);
    }

    async fn look_and_tell(&mut self) {
        loop {
            match self.look().await {
                Ok(more) if more => {}
                Ok(_) => return,
                Err(error) => {
                    // It is looked again soon, from the same point.
                    tracing::error!(error = &error as &dyn std::error::Error, "a live stream can't be told");
                    return;
                }
            }
        }
    }

    /// Tells what is new. Whether there is more to tell at once.
    async fn look(&mut self) -> Result<bool, DbError> {
        let mut conn = self.live.0.database.read().await?;
        let now = self.now();
        // Through whose eyes the auction is read does not matter here.
        let Some(anyone) = self.channel.seats.any() else { return Ok(false) };
        let Some(seen) = auctions::store::find(&mut conn, self.topic.auction_id(), anyone, now).await? else {
            return Ok(false);
        };
        match self.topic {
            Topic::Item(_, item_id) => {
                let Some(scene) = read::scene(&mut conn, &seen.auction, item_id, now).await? else {
                    return Ok(false);
                };
                let known = Known::of(&scene);
                self.next_turn = known.next_turn(now);
                let changed = self.told.known.as_ref() != Some(&known);
                let news = read::item_news(&mut conn, &scene, self.told.upto, changed).await?;
                self.told.known = Some(known);
                let more = news.upto < scene.item.last_sequence;
                self.tell(news, now);
                Ok(more)
            }
            Topic::Auction(_) => self.look_at_auction(&mut conn, &seen.auction, now).await,
        }
    }

    async fn look_at_auction(
        &mut self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<bool, DbError> {
        self.next_turn = turns::next_turn(conn, auction.id, now).await?;
        let found = read::happenings(conn, auction, (self.told.upto, self.told.at), None, now).await?;
        let more = found.more;
        self.tell(found.as_they_come()?, now);
        Ok(more)
    }

    fn tell(&mut self, news: News, now: Moment) {
        self.told.upto = news.upto;
        self.told.at = now;
        if !news.is_empty() {
            self.send(Message::News(Arc::new(news)));
        }
    }

    async fn check_rights(&self) {
        let checked = async {
            let mut conn = self.live.0.database.read().await?;
            self.channel.seats.check(&mut conn, self.topic, self.now()).await
        };
        match checked.await {
            Ok(changed) if changed.is_empty() => {}
            Ok(changed) => self.send(Message::Rights(Arc::new(changed))),
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "rights to listen can't be checked"
                );
            }
        }
    }
}

/// However the task ends, its listeners' streams end with it: they come back.
impl Drop for Task {
    fn drop(&mut self) {
        self.live.close(self.topic, &self.channel);
    }
}
