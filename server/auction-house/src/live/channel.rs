//! What connects the task of a topic with its listeners.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{Notify, broadcast};

use super::event_batch::EventBatch;
use super::listeners::{Listeners, Permission};

/// Messages that a stream may fall behind before it ends. Its client resumes.
pub const BEHIND_MAX: usize = 64;

/// Connects a topic's task with its listeners.
#[derive(Clone)]
pub struct Channel {
    pub sender: broadcast::Sender<Arc<Sent>>,
    pub wake: Arc<Notify>,
    /// The last listener has taken a message.
    pub taken: Arc<Notify>,
    pub listeners: Arc<Listeners>,
}

/// A message to all listeners of a topic.
#[derive(Debug)]
pub enum Message {
    Events(EventBatch),
    /// Changed permissions, by listener number.
    Permissions(HashMap<u64, Permission>),
    Heartbeat(Bytes),
}

/// A message that was sent. It is dropped once all listeners have taken it.
#[derive(Debug)]
pub struct Sent {
    pub message: Message,
    taken: Arc<Notify>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.taken.notify_one();
    }
}

impl Channel {
    pub fn sent(&self, message: Message) -> Arc<Sent> {
        Arc::new(Sent { message, taken: Arc::clone(&self.taken) })
    }
}

impl Default for Channel {
    fn default() -> Self {
        let sender = broadcast::Sender::new(BEHIND_MAX);
        Self { sender, wake: Arc::default(), taken: Arc::default(), listeners: Arc::default() }
    }
}
