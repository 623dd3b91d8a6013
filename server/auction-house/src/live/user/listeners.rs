//! The streams of all users, and what each has delivered.

use std::collections::{BTreeSet, HashMap, HashSet};

use axum::body::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, mpsc};

use super::balances::Balances;
use super::feed::{UserEvent, earliest_open};
use crate::books::funds::Funds;
use crate::ids::{BookId, NotificationId, UserId};
use crate::live::session::WatchedSession;
use accounts::Signal;
use platform::time::Moment;
use platform::token::TokenHash;

/// Listeners by number. An ended stream's client resumes.
#[derive(Default)]
pub struct UserListeners {
    state: Mutex<State>,
    pub(super) wake: Notify,
}

#[derive(Default)]
struct State {
    listeners: HashMap<u64, UserListener>,
    woken: HashSet<UserId>,
    /// Balances of each user with a stream.
    balances: HashMap<UserId, Balances>,
    /// There is a task that feeds them.
    is_fed: bool,
}

/// One stream.
pub struct UserListener {
    pub user: UserId,
    pub session: WatchedSession,
    pub sender: mpsc::Sender<Bytes>,
    /// The last delivered notification.
    pub last: NotificationId,
    /// Notifications delivered, or received before, of which an earlier one may still be committed.
    pub delivered: BTreeSet<NotificationId>,
}

impl UserListener {
    /// Whether the stream goes on. One that has fallen behind ends.
    fn deliver(&mut self, event: &UserEvent) -> bool {
        if let Some(id) = event.id {
            if !self.delivered.insert(id) {
                return true;
            }
            self.last = self.last.max(id);
            self.delivered = self.delivered.split_off(&earliest_open(self.last));
        }
        self.sender.try_send(event.text.clone()).is_ok()
    }
}

impl UserListeners {
    /// Adds a stream of a user with these balances. Whether a task must be started to feed it.
    pub fn add(&self, number: u64, listener: UserListener, balances: Balances) -> bool {
        let mut state = self.lock();
        // Those of an earlier stream have been delivered to it.
        state.balances.entry(listener.user).or_insert(balances);
        state.listeners.insert(number, listener);
        !std::mem::replace(&mut state.is_fed, true)
    }

    pub fn remove(&self, number: u64) {
        let mut state = self.lock();
        let Some(UserListener { user, .. }) = state.listeners.remove(&number) else { return };
        if state.listeners.values().all(|listener| listener.user != user) {
            state.balances.remove(&user);
        }
    }

    /// The delivered balances of those of these users who have streams.
    pub fn balances(&self, users: impl Iterator<Item = UserId>) -> HashMap<UserId, Balances> {
        let state = self.lock();
        users.filter_map(|user| Some((user, state.balances.get(&user)?.clone()))).collect()
    }

    /// Takes note of a balance. Whether it is news for the streams of the user.
    pub fn learn(&self, user: UserId, book_id: BookId, revision: i64, funds: Funds) -> bool {
        let mut state = self.lock();
        let Some(balances) = state.balances.get_mut(&user) else { return false };
        balances.insert(book_id, (revision, funds)).is_none_or(|(_, had)| had != funds)
    }

    /// Ends all streams.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    /// Whether there are none: then their task ends.
    pub fn is_left(&self) -> bool {
        let mut state = self.lock();
        state.is_fed = !state.listeners.is_empty();
        !state.is_fed
    }

    /// Wakes the task for these users, if one of them listens.
    pub fn wake(&self, users: &[UserId]) {
        let mut state = self.lock();
        if state.is_fed {
            state.woken.extend(users);
            drop(state);
            self.wake.notify_one();
        }
    }

    /// The users for whom to read, each with the earliest notification that was the last delivered one of a
    /// stream. All users, or those who were woken since the last call.
    pub fn to_read(&self, all: bool) -> Vec<(UserId, NotificationId)> {
        let mut state = self.lock();
        let woken = std::mem::take(&mut state.woken);
        let mut last: HashMap<UserId, NotificationId> = HashMap::new();
        for listener in state.listeners.values().filter(|listener| all || woken.contains(&listener.user)) {
            let earliest = last.entry(listener.user).or_insert(listener.last);
            *earliest = (*earliest).min(listener.last);
        }
        last.into_iter().collect()
    }

    /// Passes events on to the streams of their users.
    pub fn deliver(&self, events: &[UserEvent]) {
        let mut by_user: HashMap<UserId, Vec<&UserEvent>> = HashMap::new();
        for event in events {
            by_user.entry(event.user).or_default().push(event);
        }
        self.lock().listeners.retain(|_, listener| {
            let events = by_user.get(&listener.user);
            events.is_none_or(|events| events.iter().all(|event| listener.deliver(event)))
        });
    }

    /// Passes a text on to every stream.
    pub fn send_all(&self, text: &Bytes) {
        self.lock().listeners.retain(|_, listener| listener.sender.try_send(text.clone()).is_ok());
    }

    /// Takes note of a change of accounts.
    pub fn hear(&self, signal: &Signal) {
        self.lock().listeners.values_mut().for_each(|listener| listener.session.hear(signal));
    }

    /// The sessions that may have ended, or all.
    pub fn due_sessions(&self, all: bool, now: Moment) -> HashSet<TokenHash> {
        let mut state = self.lock();
        let due = state.listeners.values_mut().filter_map(|listener| {
            // Every session takes note, also if all are looked up.
            let is_due = listener.session.take_due(now);
            (all || is_due).then(|| listener.session.hash.clone())
        });
        due.collect()
    }

    /// Has these sessions looked up once more.
    pub fn suspect(&self, sessions: &HashSet<TokenHash>) {
        let mut state = self.lock();
        let found = state.listeners.values_mut().filter(|listener| sessions.contains(&listener.session.hash));
        found.for_each(|listener| listener.session.suspect());
    }

    /// Ends the streams of sessions that have ended: of `checked` those that are not `living`.
    pub fn end_sessions(&self, checked: &HashSet<TokenHash>, living: &HashMap<String, Moment>) {
        self.lock().listeners.retain(|_, UserListener { session, .. }| {
            !checked.contains(&session.hash) || session.lasts(living)
        });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}
