//! The listeners of one topic, and whether they still may listen.

use std::collections::{HashMap, HashSet};

use parking_lot::{Mutex, MutexGuard};

use super::event_batch::StreamUser;
use super::session::WatchedSession;
use super::topic::Topic;
use crate::access::{self, Action, Role};
use crate::auctions::{self, JoinMode};
use crate::ids::UserId;
use crate::items;
use accounts::Signal;
use platform::db::{Connection, DbError};
use platform::time::Moment;
use platform::token::TokenHash;

/// What the permission of one stream depends on.
#[derive(Debug, Clone)]
pub struct Listener {
    pub user: StreamUser,
    pub session: WatchedSession,
}

/// A changed permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The user's role in the auction has changed.
    Role(Option<Role>),
    Lost,
}

/// The listeners by their number.
#[derive(Debug, Default)]
pub struct Listeners(Mutex<HashMap<u64, Listener>>);

impl Listeners {
    pub fn add(&self, number: u64, listener: Listener) {
        self.lock().insert(number, listener);
    }

    /// Removes a listener. Whether none is left.
    pub fn remove(&self, number: u64) -> bool {
        let mut listeners = self.lock();
        listeners.remove(&number);
        listeners.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// One of the users, if any listens.
    pub fn any_user(&self) -> Option<UserId> {
        self.lock().values().next().map(|listener| listener.user.id)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Listener>> {
        self.0.lock()
    }

    /// Takes note of a change of accounts.
    pub fn hear(&self, signal: &Signal) {
        self.lock().values_mut().for_each(|listener| listener.session.hear(signal));
    }

    /// Authorizes again the listeners whose sessions may have ended, or all, in a few queries. Returns the
    /// changed permissions by listener number.
    pub async fn check(
        &self,
        conn: &mut Connection,
        topic: Topic,
        all: bool,
        now: Moment,
    ) -> Result<HashMap<u64, Permission>, DbError> {
        let due = self.take_due(all, now);
        if due.is_empty() {
            return Ok(HashMap::new());
        }
        let checked = self.authorize(conn, topic, &due, now).await;
        if checked.is_err() {
            self.lock().values_mut().for_each(|listener| listener.session.suspect());
        }
        checked
    }

    fn take_due(&self, all: bool, now: Moment) -> HashMap<u64, Listener> {
        let mut listeners = self.lock();
        let due = listeners.iter_mut().filter_map(|(number, listener)| {
            // Every session takes note, also if all are checked.
            let is_due = listener.session.take_due(now);
            (all || is_due).then(|| (*number, listener.clone()))
        });
        due.collect()
    }

    async fn authorize(
        &self,
        conn: &mut Connection,
        topic: Topic,
        due: &HashMap<u64, Listener>,
        now: Moment,
    ) -> Result<HashMap<u64, Permission>, DbError> {
        let auction_id = topic.auction_id();
        let users: HashSet<UserId> = due.values().map(|listener| listener.user.id).collect();
        let members: Vec<_> = users.iter().map(|user| (auction_id, *user)).collect();
        let memberships = access::store::memberships(conn, &members).await?;
        let sessions: HashSet<&TokenHash> = due.values().map(|listener| &listener.session.hash).collect();
        let living = accounts::store::sessions::living(conn, &Vec::from_iter(sessions), now).await?;
        let readers = self.readers(conn, topic, now).await?;

        let mut changed = HashMap::new();
        let mut listeners = self.lock();
        for number in due.keys() {
            let Some(listener) = listeners.get_mut(number) else { continue };
            let membership = memberships.get(&(auction_id, listener.user.id));
            let role = membership.map(|membership| membership.role);
            if !listener.session.lasts(&living) || !readers.include(listener.user.id, role) {
                changed.insert(*number, Permission::Lost);
            } else if role != listener.user.role {
                listener.user.role = role;
                changed.insert(*number, Permission::Role(role));
            }
        }
        Ok(changed)
    }

    async fn readers(&self, conn: &mut Connection, topic: Topic, now: Moment) -> Result<Readers, DbError> {
        let Some(user) = self.any_user() else { return Ok(Readers::Nobody) };
        // The result does not depend on the user: only the role in it does.
        let Some(seen) = auctions::store::find(conn, topic.auction_id(), user, now).await? else {
            return Ok(Readers::Nobody);
        };
        let is_free = seen.auction.terms.join_mode == JoinMode::Free;
        let Topic::Item(auction_id, item_id) = topic else {
            return Ok(Readers::Of { is_free, draft_of: None });
        };
        Ok(match items::store::find(conn, auction_id, item_id).await? {
            None => Readers::Nobody,
            Some(item) => {
                let draft_of = (!item.terms.is_published).then_some(item.creator.id);
                Readers::Of { is_free, draft_of }
            }
        })
    }
}

/// The users who may read a topic.
enum Readers {
    /// The auction or the item is deleted.
    Nobody,
    Of {
        /// Everyone signed in sees the auction.
        is_free: bool,
        /// The item is a draft of this user.
        draft_of: Option<UserId>,
    },
}

impl Readers {
    fn include(&self, user: UserId, role: Option<Role>) -> bool {
        match self {
            Self::Nobody => false,
            Self::Of { is_free, draft_of } => {
                let sees_auction = role.is_some() || *is_free;
                let sees_item = draft_of.is_none_or(|creator| {
                    creator == user || role.is_some_and(|role| role.may(Action::ManageItems))
                });
                sees_auction && sees_item
            }
        }
    }
}
