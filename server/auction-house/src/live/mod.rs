//! Live streams: the events of an item or of an auction, for all its listeners, and those of a [user].
//!
//! Streams are fed from the database, never from memory. A commit wakes its topics; one task for each topic
//! with listeners then [reads](read) the events past the ones it has delivered, [renders](event_batch) them
//! once, and broadcasts them. So events are delivered in order and only if they are committed, and a lost
//! wake-up costs moments, not events: the task polls every few seconds, and [authorizes](listeners) its
//! listeners again once something has changed that their permissions depend on.

mod beginning;
mod channel;
pub mod event_batch;
pub mod feed;
pub mod listeners;
pub mod read;
mod request;
pub mod routes;
pub mod screen;
mod session;
pub mod snapshot;
pub mod stream;
mod task;
mod topic;
pub mod user;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::events::Signal;
use crate::ids::{AuctionId, ItemId};
use channel::Channel;
use listeners::Listener;
use platform::db::Database;
use platform::fair::{FairLimiter, FairLimits};
use platform::http::answer_memory::AnswerMemory;
use platform::low_priority::LowPriority;
use platform::net::Client;
use platform::signals::Subscriber;
use platform::time::{Clock, Moment};
use screen::Screens;
use topic::Topic;
use user::UserListeners;

/// Streams of all users together.
const STREAMS_MAX: usize = 20_000;
/// Streams of one user: many pages, on a few machines.
const USER_STREAMS_MAX: usize = 100;
/// Streams of one address without an account: a hall.
const ADDRESS_STREAMS_MAX: usize = 250;
/// Streams without an account, of all addresses together: a part of all.
const ANONYMOUS_STREAMS_MAX: usize = 5_000;
/// Streams that read their first items at the same time. Clients take turns.
const FIRST_READS: FairLimits = FairLimits {
    running: 2,
    share: 2,
    waiting: STREAMS_MAX,
    waiting_of_one: STREAMS_MAX,
    wait: Duration::from_secs(60),
};

/// Why no stream is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamLimit {
    #[error("the user has too many streams")]
    TooMany,
    #[error("the address has too many streams without an account")]
    TooManyOfAddress,
    #[error("there are too many streams without an account")]
    FullWithoutAccount,
    #[error("there are too many streams, or the server is shutting down")]
    Full,
}

/// All streams of this process. Clones share them.
#[derive(Clone)]
pub struct Live(Arc<Hub>);

struct Hub {
    database: Database,
    clock: Arc<dyn Clock>,
    memory: Arc<AnswerMemory>,
    low_priority: Arc<LowPriority>,
    first_reads: FairLimiter<Client>,
    bounds: Bounds,
    open: Mutex<Open>,
    users: UserListeners,
    stopped: watch::Sender<bool>,
}

/// How many streams there may be.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    of_user: usize,
    of_address: usize,
    /// Streams without an account, from all addresses.
    anonymous: usize,
}

#[derive(Default)]
struct Open {
    channels: HashMap<Topic, Channel>,
    screens: HashMap<AuctionId, Arc<Screens>>,
    streams: usize,
    /// Streams without an account.
    anonymous: usize,
    by_client: HashMap<Client, usize>,
    last_number: u64,
}

impl Live {
    /// `bound_clients` limits the streams of one client, and those without an account; load tests run without
    /// it.
    pub fn new(
        database: Database,
        clock: Arc<dyn Clock>,
        memory: Arc<AnswerMemory>,
        low_priority: Arc<LowPriority>,
        bound_clients: bool,
    ) -> Self {
        let bounds = Bounds {
            of_user: USER_STREAMS_MAX,
            of_address: ADDRESS_STREAMS_MAX,
            anonymous: ANONYMOUS_STREAMS_MAX,
        };
        let none = Bounds { of_user: STREAMS_MAX, of_address: STREAMS_MAX, anonymous: STREAMS_MAX };
        let bounds = if bound_clients { bounds } else { none };
        let (open, users, stopped) = (Mutex::default(), UserListeners::default(), watch::Sender::new(false));
        let first_reads = FairLimiter::new(FIRST_READS);
        Self(Arc::new(Hub {
            database,
            clock,
            memory,
            low_priority,
            first_reads,
            bounds,
            open,
            users,
            stopped,
        }))
    }

    fn database(&self) -> &Database {
        &self.0.database
    }

    fn memory(&self) -> &AnswerMemory {
        &self.0.memory
    }

    fn users(&self) -> &UserListeners {
        &self.0.users
    }

    fn subscribe_to_stop(&self) -> watch::Receiver<bool> {
        self.0.stopped.subscribe()
    }

    fn now(&self) -> Moment {
        self.0.clock.now()
    }

    /// Wakes the topics of items for which events were committed.
    fn wake(&self, items: &[(AuctionId, ItemId)]) {
        let open = self.open();
        if open.channels.is_empty() && open.screens.is_empty() {
            return;
        }
        for &(auction_id, item_id) in items {
            if let Some(screens) = open.screens.get(&auction_id) {
                screens.woken.notify_one();
            }
            for topic in [Topic::Item(auction_id, item_id), Topic::Auction(auction_id)] {
                if let Some(channel) = open.channels.get(&topic) {
                    channel.wake.notify_one();
                }
            }
        }
    }

    /// Wakes every topic.
    /// Wakes every stream of an auction and of its items.
    fn wake_auction(&self, auction_id: AuctionId) {
        let open = self.open();
        if let Some(screens) = open.screens.get(&auction_id) {
            screens.woken.notify_one();
        }
        let channels = open.channels.iter().filter(|(topic, _)| topic.auction_id() == auction_id);
        channels.for_each(|(_, channel)| channel.wake.notify_one());
    }

    fn wake_all(&self) {
        let open = self.open();
        open.channels.values().for_each(|channel| channel.wake.notify_one());
        open.screens.values().for_each(|screens| screens.woken.notify_one());
    }

    /// Ends all streams, and refuses new ones.
    pub fn stop(&self) {
        let mut open = self.open();
        self.0.stopped.send_replace(true);
        open.channels.clear();
        self.0.users.clear();
    }

    /// Counts a stream of a client that begins. Returns its number.
    fn count_stream(&self, client: Client) -> Result<u64, StreamLimit> {
        self.count(&mut self.open(), client)
    }

    fn count(&self, open: &mut Open, client: Client) -> Result<u64, StreamLimit> {
        if *self.0.stopped.borrow() || open.streams >= STREAMS_MAX {
            return Err(StreamLimit::Full);
        }
        let (of_client, bounds) = (open.by_client.get(&client).copied().unwrap_or(0), self.0.bounds);
        match client {
            Client::User(_) if of_client >= bounds.of_user => return Err(StreamLimit::TooMany),
            Client::Address(_) if of_client >= bounds.of_address => {
                return Err(StreamLimit::TooManyOfAddress);
            }
            Client::Address(_) if open.anonymous >= bounds.anonymous => {
                return Err(StreamLimit::FullWithoutAccount);
            }
            Client::Address(_) => open.anonymous += 1,
            Client::User(_) => {}
        }
        open.by_client.insert(client, of_client + 1);
        open.streams += 1;
        open.last_number += 1;
        Ok(open.last_number)
    }

    /// Counts a stream, and adds its listener to the topic. Returns the number of the stream, and with a new
    /// channel `true`: its task is to be started.
    fn join(
        &self,
        topic: Topic,
        client: Client,
        listener: Listener,
    ) -> Result<(u64, Channel, bool), StreamLimit> {
        let mut open = self.open();
        let number = self.count(&mut open, client)?;
        let is_new = !open.channels.contains_key(&topic);
        let channel = open.channels.entry(topic).or_default().clone();
        channel.listeners.add(number, listener);
        Ok((number, channel, is_new))
    }

    /// Counts an ended stream.
    fn left(&self, client: Client) {
        let mut open = self.open();
        open.streams = open.streams.saturating_sub(1);
        if let Client::Address(_) = client {
            open.anonymous = open.anonymous.saturating_sub(1);
        }
        if let Some(of_client) = open.by_client.get_mut(&client) {
            *of_client = of_client.saturating_sub(1);
            if *of_client == 0 {
                open.by_client.remove(&client);
            }
        }
    }

    /// Closes a channel without listeners; the next listener opens another. Whether it was closed.
    fn close_if_idle(&self, topic: Topic, channel: &Channel) -> bool {
        let mut open = self.open();
        let idle = channel.listeners.is_empty();
        if idle {
            remove(&mut open, topic, channel);
        }
        idle
    }

    fn close(&self, topic: Topic, channel: &Channel) {
        remove(&mut self.open(), topic, channel);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock()
    }
}

impl Subscriber<Signal> for Live {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Items(items) => self.wake(items),
            Signal::AllItems(auction_id) => self.wake_auction(*auction_id),
            Signal::UserEvents(users) => self.0.users.wake(users),
            Signal::Everything => self.wake_all(),
        }
    }
}

impl Subscriber<accounts::Signal> for Live {
    fn hear(&self, signal: &accounts::Signal) {
        self.open().channels.values().for_each(|channel| channel.listeners.hear(signal));
        self.0.users.hear(signal);
    }
}

/// The topic may have another channel by now, which stays.
fn remove(open: &mut Open, topic: Topic, channel: &Channel) {
    if open.channels.get(&topic).is_some_and(|found| Arc::ptr_eq(&found.listeners, &channel.listeners)) {
        open.channels.remove(&topic);
    }
}
