//! The stream of a screen, which says that something in its auction has changed: the page requests itself
//! again. A secret token authorizes it instead of a session, and is looked up before each event and every few
//! seconds.

use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use super::event_batch::render;
use super::request::StreamError;
use super::{Live, StreamLimit};
use crate::auctions;
use crate::auctions::access::AccessError;
use crate::events;
use crate::ids::{AuctionId, UserId};
use platform::db::DbError;
use platform::http::sse;
use platform::ids::Id;
use platform::log_field::logged;
use platform::net::Client;
use platform::token::TokenHash;

/// How often a screen is told of changes, at most.
const REST: Duration = Duration::from_millis(200);
/// How often the token and the state of the auction are looked up without a wake-up.
const CHECK_EVERY: Duration = Duration::from_secs(3);
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);
/// How long a browser waits before it reconnects.
const RETRY_MILLISECONDS: u32 = 1000;

/// The data of `change`.
#[derive(Serialize)]
struct Change {}

/// A stream that is being read. Dropping it ends it.
pub struct ScreenStream {
    live: Live,
    auction_id: AuctionId,
    token: TokenHash,
    woken: watch::Receiver<()>,
    stopped: watch::Receiver<bool>,
    /// The revision of the auction and the last position of its events that the screen was told of.
    told: Option<(Option<i64>, i64)>,
    told_at: Instant,
}

impl ScreenStream {
    /// The stream of the screen with this token.
    ///
    /// # Errors
    /// `NotFound` for an unknown or replaced token. The screens of an auction count as one user.
    pub async fn open(live: &Live, token: TokenHash) -> Result<Self, StreamError> {
        let found = auctions::store::by_screen(&mut live.database().read().await?, &token).await?;
        let auction_id = found.ok_or(AccessError::NotFound)?;
        let woken = live.join_screens(auction_id, counted_as(auction_id))?;
        let (live, stopped) = (live.clone(), live.subscribe_to_stop());
        Ok(Self { live, auction_id, token, woken, stopped, told: None, told_at: Instant::now() })
    }

    /// The next bytes of the stream; `None` at its end. The first event comes at once.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if *self.stopped.borrow() {
                return None;
            }
            self.woken.mark_unchanged();
            match self.look().await {
                Ok(Some(text)) => return Some(text),
                Ok(None) => {}
                Err(StreamError::Access(AccessError::Db(error))) => {
                    tracing::error!(error = logged(&error), "a screen can't be kept current");
                    return None;
                }
                Err(_) => return None,
            }
            tokio::select! {
                _ = self.woken.changed() => tokio::time::sleep_until(self.told_at + REST).await,
                () = tokio::time::sleep(CHECK_EVERY) => {}
                _ = self.stopped.changed() => {}
            }
        }
    }

    /// What the screen is to be told now, if anything.
    async fn look(&mut self) -> Result<Option<Bytes>, StreamError> {
        let conn = &mut self.live.database().read().await?;
        if auctions::store::by_screen(conn, &self.token).await? != Some(self.auction_id) {
            return Err(AccessError::NotFound.into());
        }
        let revision = auctions::store::revision(conn, self.auction_id).await?;
        let state = Some((revision, events::store::last_position(conn, self.auction_id).await?));
        let is_first = self.told.is_none();
        if self.told != state {
            (self.told, self.told_at) = (state, Instant::now());
            let retry = if is_first { sse::retry(RETRY_MILLISECONDS) } else { Vec::new() };
            return Ok(Some([retry, change()?].concat().into()));
        }
        if self.told_at.elapsed() >= HEARTBEAT_EVERY {
            self.told_at = Instant::now();
            return Ok(Some(sse::comment(&self.live.now().to_string())));
        }
        Ok(None)
    }
}

impl Drop for ScreenStream {
    fn drop(&mut self) {
        self.live.leave_screens(self.auction_id, counted_as(self.auction_id));
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
    /// Counts a screen. Returns where it hears of changes.
    fn join_screens(
        &self,
        auction_id: AuctionId,
        client: Client,
    ) -> Result<watch::Receiver<()>, StreamLimit> {
        let mut open = self.open();
        self.count(&mut open, client)?;
        Ok(open.screens.entry(auction_id).or_default().subscribe())
    }

    fn leave_screens(&self, auction_id: AuctionId, client: Client) {
        // The receiver of the last screen is dropped after this.
        self.open().screens.retain(|id, sender| *id != auction_id || sender.receiver_count() > 1);
        self.left(client);
    }
}
