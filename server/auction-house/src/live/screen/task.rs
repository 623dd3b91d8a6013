//! The task that reads, while an auction has screens, whether something in it has changed.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Screens;
use crate::auctions;
use crate::events;
use crate::ids::AuctionId;
use crate::live::Live;
use platform::db::{Connection, DbError};
use platform::log_field::logged;
use platform::token::TokenHash;

/// How often screens are told of changes, at most.
const REST: Duration = Duration::from_millis(100);
/// How often the auction is read without a wake-up.
const CHECK_EVERY: Duration = Duration::from_secs(3);
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

/// An auction as its screens know it. Every change of what a screen shows raises one of the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The secret in force.
    token: Option<TokenHash>,
    revision: i64,
    /// Position of its last event.
    position: i64,
}

/// What screens are told: a change, or with the state as before that the stream goes on.
#[derive(Debug)]
pub struct Told {
    pub state: State,
    pub heartbeats: u64,
}

impl State {
    /// None for an auction that is deleted.
    pub async fn read(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<Self>, DbError> {
        let Some((token, revision)) = auctions::store::screen(conn, auction_id).await? else {
            return Ok(None);
        };
        let position = events::store::last_position(conn, auction_id).await?;
        Ok(Some(Self { token, revision, position }))
    }

    /// Whether the screen with this secret is the auction's.
    pub fn is_of(&self, token: &TokenHash) -> bool {
        self.token.as_ref() == Some(token)
    }
}

impl Screens {
    /// Tells the screens of a state, unless they know it or a later one.
    pub fn tell(&self, read: State) {
        self.told.send_if_modified(|told| {
            let known = &mut told.state;
            let is_later = (read.revision, read.position) > (known.revision, known.position);
            if is_later {
                *known = read;
            }
            is_later
        });
    }
}

struct Task {
    live: Live,
    auction_id: AuctionId,
    screens: Arc<Screens>,
}

pub fn spawn(live: Live, auction_id: AuctionId, screens: Arc<Screens>) {
    tokio::spawn(Task { live, auction_id, screens }.run());
}

impl Task {
    async fn run(self) {
        let mut stopped = self.live.subscribe_to_stop();
        let mut heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
        while !*stopped.borrow_and_update() && !self.live.close_screens_if_idle(&self.screens) {
            let read_at = Instant::now();
            match self.read().await {
                Ok(Some(state)) => self.screens.tell(state),
                Ok(None) => return,
                // The next round reads it again.
                Err(error) => tracing::error!(error = logged(&error), "screens can't be kept current"),
            }
            if heartbeat_at <= Instant::now() {
                heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
                self.screens.told.send_modify(|told| told.heartbeats += 1);
            }
            let rest = async {
                tokio::time::sleep_until(read_at + REST).await;
                let _ = tokio::time::timeout(CHECK_EVERY, self.screens.woken.notified()).await;
            };
            tokio::select! {
                () = rest => {}
                _ = stopped.changed() => {}
            }
        }
    }

    async fn read(&self) -> Result<Option<State>, DbError> {
        State::read(&mut self.live.database().read().await?, self.auction_id).await
    }
}

/// The streams end with their task, however it ends: browsers open others.
impl Drop for Task {
    fn drop(&mut self) {
        self.live.close_screens(&self.screens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::{Notify, watch};

    #[test]
    fn screens_are_told_of_later_states_only() {
        let state = |revision, position| State { token: None, revision, position };
        let (told, receiver) = watch::channel(Told { state: state(1, 5), heartbeats: 0 });
        let screens = Screens { woken: Notify::new(), told };
        let hears = |read| {
            let before = receiver.borrow().state.clone();
            screens.tell(read);
            receiver.borrow().state != before
        };
        let heard = [(1, 5), (1, 4), (1, 6), (2, 6), (1, 9), (2, 7)].map(|(a, b)| hears(state(a, b)));
        assert_eq!(heard, [false, false, true, true, false, true]);
    }
}
