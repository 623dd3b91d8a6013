//! The listeners of one topic, and whether they still may listen.

use std::collections::{HashMap, HashSet};

use parking_lot::{Mutex, MutexGuard};

use super::event_batch::StreamUser;
use super::session::WatchedSession;
use super::topic::Topic;
use crate::access::{self, Action, Role};
use crate::auctions;
use crate::auctions::access::AuctionReaders;
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
    /// None without an account.
    pub session: Option<WatchedSession>,
}

impl Listener {
    /// The session, to change what is known of it.
    fn session(&mut self) -> impl Iterator<Item = &mut WatchedSession> {
        self.session.iter_mut()
    }
}

/// A changed permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The viewer's role in the auction has changed, or whether the viewer is an outsider.
    Changed {
        role: Option<Role>,
        is_outsider: bool,
    },
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
        self.lock().values_mut().flat_map(Listener::session).for_each(|session| session.hear(signal));
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
            self.lock().values_mut().flat_map(Listener::session).for_each(WatchedSession::suspect);
        }
        checked
    }

    fn take_due(&self, all: bool, now: Moment) -> HashMap<u64, Listener> {
        let mut listeners = self.lock();
        let due = listeners.iter_mut().filter_map(|(number, listener)| {
            // Every session takes note, also if all are checked.
            let is_due = listener.session().any(|session| session.take_due(now));
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
        let sessions = due.values().filter_map(|listener| Some(&listener.session.as_ref()?.hash));
        let sessions: HashSet<&TokenHash> = sessions.collect();
        let living = accounts::session::store::living(conn, &Vec::from_iter(sessions), now).await?;
        let readers = self.readers(conn, topic, now).await?;

        let mut changed = HashMap::new();
        let mut listeners = self.lock();
        for number in due.keys() {
            let Some(listener) = listeners.get_mut(number) else { continue };
            let membership = memberships.get(&(auction_id, listener.user.id));
            let role = membership.map(|membership| membership.role);
            let lasts = listener.session().all(|session| session.lasts(&living));
            if !lasts || readers.as_ref().is_some_and(|readers| !readers.include(listener.user.id, role)) {
                changed.insert(*number, Permission::Lost);
                continue;
            }
            let Some(readers) = &readers else { continue };
            let is_outsider = readers.let_in_outsiders() && role.is_none();
            if (role, is_outsider) != (listener.user.role, listener.user.is_outsider) {
                (listener.user.role, listener.user.is_outsider) = (role, is_outsider);
                changed.insert(*number, Permission::Changed { role, is_outsider });
            }
        }
        Ok(changed)
    }

    /// None once the auction or the item is deleted: the next delivery tells the listeners, and ends their
    /// streams.
    async fn readers(
        &self,
        conn: &mut Connection,
        topic: Topic,
        now: Moment,
    ) -> Result<Option<Readers>, DbError> {
        let Some(user) = self.any_user() else { return Ok(None) };
        // The result does not depend on the user: only the role in it does.
        let Some(seen) = auctions::store::find(conn, topic.auction_id(), user, now).await? else {
            return Ok(None);
        };
        let of_auction = seen.auction.terms.readers();
        let Topic::Item(auction_id, item_id) = topic else {
            return Ok(Some(Readers { of_auction, draft_of: None }));
        };
        Ok(items::store::find(conn, auction_id, item_id).await?.map(|item| {
            let draft_of = (!item.terms.is_published).then_some(item.creator.id);
            Readers { of_auction, draft_of }
        }))
    }
}

/// The viewers who may read a topic.
struct Readers {
    of_auction: AuctionReaders,
    /// The item is a draft of this user.
    draft_of: Option<UserId>,
}

impl Readers {
    fn let_in_outsiders(&self) -> bool {
        matches!(self.of_auction, AuctionReaders::Anyone)
    }

    fn include(&self, user: UserId, role: Option<Role>) -> bool {
        let sees_item = self
            .draft_of
            .is_none_or(|creator| creator == user || role.is_some_and(|role| role.may(Action::ManageItems)));
        self.of_auction.include(user, role) && sees_item
    }
}
