//! Live streams: what happens to an item or in an auction, told to all who listen.
//!
//! Nothing is told from memory. Whoever commits something [wakes](Live::wake) its topics; one task for each topic
//! that has listeners then [reads](read) what is new past the point that it has told, prepares it [once](news), and
//! hands it to all of them. So what is told has happened, in the order in which it did, and a wake-up that is lost
//! costs moments, not events: the task looks by itself every few seconds, at which it also asks who
//! [still may listen](seats).

pub mod listen;
pub mod news;
pub mod read;
pub mod routes;
pub mod seats;
mod topic;

use crate::events::{Signal, Subscriber};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, broadcast, watch};

use crate::ids::{AuctionId, ItemId, UserId};
use listen::Listener;
use platform::db::Database;
use platform::time::{Clock, Moment};
use seats::{Seat, Seats};
use topic::{Message, Start};

/// Streams of all users together.
const STREAMS_MAX: usize = 20_000;
/// Streams of one user: many pages, on a few machines.
const USER_STREAMS_MAX: usize = 100;
/// How far a listener may fall behind before their stream ends. They come back with what they have got.
const BEHIND_MAX: usize = 64;

/// What one can listen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    Item(AuctionId, ItemId),
    Auction(AuctionId),
}

impl Topic {
    pub fn auction_id(self) -> AuctionId {
        match self {
            Self::Item(auction_id, _) | Self::Auction(auction_id) => auction_id,
        }
    }
}

/// Why there is no stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoStream {
    #[error("the user has too many streams")]
    TooMany,
    #[error("there are too many streams, or the server is on its way out")]
    Full,
}

/// All streams of this process. Copies are the same.
#[derive(Clone)]
pub struct Live(Arc<Hub>);

struct Hub {
    database: Database,
    clock: Arc<dyn Clock>,
    user_streams_max: usize,
    open: Mutex<Open>,
    stopped: watch::Sender<bool>,
}

#[derive(Default)]
struct Open {
    channels: HashMap<Topic, Channel>,
    streams: usize,
    by_user: HashMap<UserId, usize>,
    last_number: u64,
}

/// The way from a topic's task to its listeners.
#[derive(Clone)]
struct Channel {
    sender: broadcast::Sender<Message>,
    wake: Arc<Notify>,
    seats: Arc<Seats>,
}

impl Live {
    /// With the bound on one user's streams or, for load tests, without it.
    pub fn new(database: Database, clock: Arc<dyn Clock>, bound_users: bool) -> Self {
        let user_streams_max = if bound_users { USER_STREAMS_MAX } else { STREAMS_MAX };
        let (open, stopped) = (Mutex::default(), watch::Sender::new(false));
        Self(Arc::new(Hub { database, clock, user_streams_max, open, stopped }))
    }

    fn database(&self) -> &Database {
        &self.0.database
    }

    fn now(&self) -> Moment {
        self.0.clock.now()
    }

    /// Wakes the topics of items for which events were committed.
    fn wake(&self, items: &[(AuctionId, ItemId)]) {
        let open = self.open();
        if open.channels.is_empty() {
            return;
        }
        for &(auction_id, item_id) in items {
            for topic in [Topic::Item(auction_id, item_id), Topic::Auction(auction_id)] {
                if let Some(channel) = open.channels.get(&topic) {
                    channel.wake.notify_one();
                }
            }
        }
    }

    /// Wakes every topic.
    fn wake_all(&self) {
        self.open().channels.values().for_each(|channel| channel.wake.notify_one());
    }

    /// Ends all streams, and lets no new one begin.
    pub fn stop(&self) {
        let mut open = self.open();
        self.0.stopped.send_replace(true);
        open.channels.clear();
    }

    /// A listener to `topic` from now on: whatever is committed after this is told. `start` is where the topic
    /// stood before, in case nobody listened yet.
    fn listen(&self, topic: Topic, seat: Seat, start: Start) -> Result<Listener, NoStream> {
        let mut open = self.open();
        let user = seat.viewer.user;
        if *self.0.stopped.borrow() || open.streams >= STREAMS_MAX {
            return Err(NoStream::Full);
        }
        let of_user = open.by_user.entry(user).or_default();
        if *of_user >= self.0.user_streams_max {
            return Err(NoStream::TooMany);
        }
        *of_user += 1;
        open.streams += 1;
        open.last_number += 1;
        let number = open.last_number;
        let channel = match open.channels.get(&topic) {
            Some(channel) => channel.clone(),
            None => {
                let channel = Channel {
                    sender: broadcast::Sender::new(BEHIND_MAX),
                    wake: Arc::default(),
                    seats: Arc::default(),
                };
                open.channels.insert(topic, channel.clone());
                topic::spawn(self.clone(), topic, channel.clone(), start);
                channel
            }
        };
        let viewer = seat.viewer;
        channel.seats.take(number, seat);
        Ok(Listener::new(self.clone(), number, viewer, &channel))
    }

    /// Counts a listener out.
    fn left(&self, user: UserId) {
        let mut open = self.open();
        open.streams = open.streams.saturating_sub(1);
        if let Some(of_user) = open.by_user.get_mut(&user) {
            *of_user = of_user.saturating_sub(1);
            if *of_user == 0 {
                open.by_user.remove(&user);
            }
        }
    }

    /// Whether nobody listens to the channel any more; then it is closed, and who comes next opens another.
    fn close_if_idle(&self, topic: Topic, channel: &Channel) -> bool {
        let mut open = self.open();
        let idle = channel.seats.is_empty();
        if idle {
            forget(&mut open, topic, channel);
        }
        idle
    }

    fn close(&self, topic: Topic, channel: &Channel) {
        forget(&mut self.open(), topic, channel);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for Live {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Items(items) => self.wake(items),
            Signal::Everything => self.wake_all(),
            Signal::Session(_) | Signal::User(_) => {}
        }
    }
}

/// Under the topic there may be another channel by now.
fn forget(open: &mut Open, topic: Topic, channel: &Channel) {
    if open.channels.get(&topic).is_some_and(|found| Arc::ptr_eq(&found.seats, &channel.seats)) {
        open.channels.remove(&topic);
    }
}
