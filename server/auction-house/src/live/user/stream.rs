//! One stream of a user: how it begins, and what follows.

use std::collections::VecDeque;

use axum::body::Bytes;
use tokio::sync::mpsc;

use super::balances;
use super::feed::{UserEvent, earliest_open};
use super::listeners::UserListener;
use super::task;
use crate::ids::{NotificationId, UserId};
use crate::live::channel::BEHIND_MAX;
use crate::live::session::WatchedSession;
use crate::live::{Live, StreamLimit};
use crate::notifications;
use platform::db::DbError;
use platform::http::sse;
use platform::ids::{Id, Uuid};
use platform::token::TokenHash;

/// Missed notifications that a stream sends when it resumes: the newest ones.
const RESUMED_MAX: i64 = 100;
/// How long a browser waits before it reconnects.
const RETRY_MILLISECONDS: u32 = 1000;

#[derive(Debug, thiserror::Error)]
pub enum UserStreamError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Limit(#[from] StreamLimit),
}

/// A stream that is being read. Dropping it ends it.
pub struct UserStream {
    live: Live,
    user: UserId,
    number: u64,
    /// What is sent before all events.
    beginning: VecDeque<Bytes>,
    receiver: mpsc::Receiver<Bytes>,
}

impl UserStream {
    /// The stream of a user, with everything after `after`, or from now on.
    pub async fn open(
        live: &Live,
        user: UserId,
        session: TokenHash,
        after: Option<NotificationId>,
    ) -> Result<Self, UserStreamError> {
        let conn = &mut live.database().read().await?;
        let last = match after {
            Some(after) => after,
            None => {
                notifications::store::last_id(conn, user).await?.unwrap_or(NotificationId::of(Uuid::nil()))
            }
        };
        let from = earliest_open(last);
        let found = notifications::store::following(conn, user, from, RESUMED_MAX).await?;
        let balances = balances::of_user(conn, user).await?;
        let (sender, receiver) = mpsc::channel(BEHIND_MAX);
        let session = WatchedSession::new(user, session);
        let mut listener = UserListener { user, session, sender, last, delivered: [last].into() };
        let mut beginning = VecDeque::from([Bytes::from(sse::retry(RETRY_MILLISECONDS))]);
        for notification in found {
            listener.delivered.insert(notification.id);
            if notification.id > last {
                listener.last = notification.id;
                beginning.push_back(UserEvent::of_notification(notification)?.text);
            }
        }
        // A client that resumes may have missed any of them, which have no ids.
        if after.is_some() {
            for (book_id, (_, funds)) in &balances {
                beginning.push_back(UserEvent::of_balance(user, *book_id, funds)?.text);
            }
        }
        // From here a stream resumes that breaks before its first event.
        beginning.push_back(format!("id: {}\n\n", listener.last).into());
        let number = live.count_stream(user.into())?;
        let stream = Self { live: live.clone(), user, number, beginning, receiver };
        if live.users().add(number, listener, balances) {
            task::spawn(live.clone());
        }
        // What was committed since the reading.
        live.users().wake(&[user]);
        Ok(stream)
    }

    /// The next bytes of the stream; `None` at its end.
    pub async fn next(&mut self) -> Option<Bytes> {
        match self.beginning.pop_front() {
            Some(text) => Some(text),
            None => self.receiver.recv().await,
        }
    }
}

impl Drop for UserStream {
    fn drop(&mut self) {
        self.live.users().remove(self.number);
        self.live.left(self.user.into());
    }
}
