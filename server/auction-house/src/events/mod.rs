//! The write side of live events: rows written in the transaction that causes them, and signals that say so to this
//! server's subscribers and to other servers on the same database.

pub mod signal;
pub mod store;

use std::sync::Arc;

use platform::db::{Database, Notification};
pub use signal::Signal;

/// Hears signals: drops what a cache keeps, wakes streams.
pub trait Subscriber: Send + Sync {
    fn hear(&self, signal: &Signal);
}

impl<T: Subscriber + ?Sized> Subscriber for Arc<T> {
    fn hear(&self, signal: &Signal) {
        (**self).hear(signal);
    }
}

/// Passes signals on to the subscribers of this server. Clones share them.
#[derive(Clone)]
pub struct Events(Arc<[Box<dyn Subscriber>]>);

impl Events {
    pub fn new(subscribers: Vec<Box<dyn Subscriber>>) -> Self {
        Self(subscribers.into())
    }

    /// To be called after the commit of what the signal is about.
    pub fn publish(&self, signal: &Signal) {
        for subscriber in self.0.iter() {
            subscriber.hear(signal);
        }
    }

    /// Publishes the signals of other servers until the database is closed.
    pub fn follow(&self, database: &Database) {
        let Some(mut listener) = database.listener() else { return };
        let events = self.clone();
        tokio::spawn(async move {
            while let Some(heard) = listener.next().await {
                let signal = match heard {
                    Notification::Text(text) => text.parse().ok(),
                    // While the listener was disconnected, anything may have changed.
                    Notification::Gap => Some(Signal::Everything),
                };
                if let Some(signal) = signal {
                    events.publish(&signal);
                }
            }
        });
    }
}
