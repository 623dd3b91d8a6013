//! Signals: what changed, as servers on one database notify each other of it. A signal is sent in the
//! transaction that causes it. Nothing depends on its arrival: streams poll as well, and caches keep entries
//! for seconds only.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use crate::db::{Database, DbError, NOTIFICATION_BYTES, ServerNotification, Transaction, WriteBatch};

/// A kind of signals. Other servers receive the text of a signal.
pub trait SignalType: Display + FromStr + Send + Sync + 'static {
    /// More changed than one signal can name, or signals may have been missed.
    const EVERYTHING: Self;
}

/// Hears signals: drops what a cache keeps, wakes streams.
pub trait Subscriber<S>: Send + Sync {
    fn hear(&self, signal: &S);
}

impl<S, T: Subscriber<S> + ?Sized> Subscriber<S> for Arc<T> {
    fn hear(&self, signal: &S) {
        (**self).hear(signal);
    }
}

/// Passes signals of one kind on to the subscribers of this server. Clones share them.
#[derive(Clone)]
pub struct Signals<S>(Arc<[Box<dyn Subscriber<S>>]>);

impl<S> Signals<S> {
    pub fn new(subscribers: Vec<Box<dyn Subscriber<S>>>) -> Self {
        Self(subscribers.into())
    }

    /// To be called after the commit of what the signal is about.
    pub fn publish(&self, signal: &S) {
        for subscriber in self.0.iter() {
            subscriber.hear(signal);
        }
    }
}

/// Receives the notifications of other servers.
pub trait NotificationReceiver: Send + Sync {
    fn receive(&self, notification: &ServerNotification);
}

/// A text that is not of this kind, or of another release, is ignored.
impl<S: SignalType> NotificationReceiver for Signals<S> {
    fn receive(&self, notification: &ServerNotification) {
        match notification {
            ServerNotification::Text(text) => {
                if let Ok(signal) = text.parse() {
                    self.publish(&signal);
                }
            }
            // While the listener was disconnected, anything may have changed.
            ServerNotification::Gap => self.publish(&S::EVERYTHING),
        }
    }
}

/// Passes the notifications of other servers on until the database is closed.
pub fn follow(database: &Database, receivers: Vec<Box<dyn NotificationReceiver>>) {
    let Some(mut listener) = database.listener() else { return };
    tokio::spawn(async move {
        while let Some(heard) = listener.next().await {
            for receiver in &receivers {
                receiver.receive(&heard);
            }
        }
    });
}

/// Adds the signal to `writes`: the other servers receive it with the commit.
pub fn send_with<S: SignalType>(writes: &mut WriteBatch, signal: &S) {
    let text = signal.to_string();
    writes.notify(if text.len() > NOTIFICATION_BYTES { S::EVERYTHING.to_string() } else { text });
}

/// Sends the signal to the other servers with the commit of this transaction.
pub async fn send<S: SignalType>(conn: &mut Transaction, signal: &S) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    send_with(&mut writes, signal);
    conn.run(writes).await
}
