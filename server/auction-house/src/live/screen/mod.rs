//! The stream of a screen, which says that something in its auction has changed: the page requests itself
//! again. A secret token authorizes it instead of a session. One [task] reads for all screens of an auction
//! what they are told.

mod task;

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::{Notify, watch};

use self::task::{State, Told};
use super::event_batch::render;
use super::request::StreamError;
use super::{Live, StreamLimit};
use crate::auctions;
use crate::auctions::access::AccessError;
use crate::ids::{AuctionId, UserId};
use platform::db::DbError;
use platform::http::sse;
use platform::ids::Id;
use platform::log_field::logged;
use platform::net::Client;
use platform::token::TokenHash;

/// How long a browser waits before it reconnects.
const RETRY_MILLISECONDS: u32 = 1000;

/// The data of `change`.
#[derive(Serialize)]
struct Change {}

/// The screens of one auction.
pub(super) struct Screens {
    /// Something was committed.
    pub woken: Notify,
    told: watch::Sender<Told>,
}

/// A stream that is being read. Dropping it ends it.
pub struct ScreenStream {
    live: Live,
    auction_id: AuctionId,
    token: TokenHash,
    told: watch::Receiver<Told>,
    /// The state that the screen was told of last.
    known: Option<State>,
}

impl ScreenStream {
    /// The stream of the screen with this token.
    ///
    /// # Errors
    /// `NotFound` for an unknown or replaced token. The screens of an auction count as one user.
    pub async fn open(live: &Live, token: TokenHash) -> Result<Self, StreamError> {
        let conn = &mut live.database().read().await?;
        let auction_id = auctions::store::by_screen(conn, &token).await?.ok_or(AccessError::NotFound)?;
        let state = State::read(conn, auction_id).await?.ok_or(AccessError::NotFound)?;
        let told = live.join_screens(auction_id, state)?;
        Ok(Self { live: live.clone(), auction_id, token, told, known: None })
    }

    /// The next bytes of the stream; `None` at its end. The first event comes at once.
    pub async fn next(&mut self) -> Option<Bytes> {
        if self.known.is_some() {
            // The browser opens another stream if the task has ended.
            self.told.changed().await.ok()?;
        }
        let state = self.told.borrow_and_update().state.clone();
        if !state.is_of(&self.token) {
            return None;
        }
        let retry = match &self.known {
            Some(known) if *known == state => return Some(sse::comment(&self.live.now().to_string())),
            Some(_) => Vec::new(),
            None => sse::retry(RETRY_MILLISECONDS),
        };
        self.known = Some(state);
        match change() {
            Ok(change) => Some([retry, change].concat().into()),
            Err(error) => {
                tracing::error!(error = logged(&error), "a screen can't be told of a change");
                None
            }
        }
    }
}

impl Drop for ScreenStream {
    fn drop(&mut self) {
        self.live.left(counted_as(self.auction_id));
    }
}

fn change() -> Result<Vec<u8>, DbError> {
    render("change", None, &Change {})
}

/// Whose streams the screens of an auction count as.
fn counted_as(auction_id: AuctionId) -> Client {
    Client::User(UserId::of(auction_id.uuid()))
}

impl Live {
    /// Counts a screen, for which the auction was read. Returns where it hears of changes.
    fn join_screens(&self, auction_id: AuctionId, read: State) -> Result<watch::Receiver<Told>, StreamLimit> {
        let mut open = self.open();
        self.count(&mut open, counted_as(auction_id))?;
        if let Some(screens) = open.screens.get(&auction_id) {
            screens.tell(read);
            return Ok(screens.told.subscribe());
        }
        let (sender, told) = watch::channel(Told { state: read, heartbeats: 0 });
        let screens = Arc::new(Screens { woken: Notify::new(), told: sender });
        open.screens.insert(auction_id, Arc::clone(&screens));
        task::spawn(self.clone(), auction_id, screens);
        Ok(told)
    }

    /// Forgets an auction without screens; the next one begins anew. Whether there were none.
    fn close_screens_if_idle(&self, screens: &Arc<Screens>) -> bool {
        let mut open = self.open();
        let idle = screens.told.receiver_count() == 0;
        if idle {
            open.screens.retain(|_, found| !Arc::ptr_eq(found, screens));
        }
        idle
    }

    fn close_screens(&self, screens: &Arc<Screens>) {
        self.open().screens.retain(|_, found| !Arc::ptr_eq(found, screens));
    }
}
