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
    pub sender: broadcast::Sender<Message>,
    pub wake: Arc<Notify>,
    pub listeners: Arc<Listeners>,
}

/// A message to all listeners of a topic.
#[derive(Debug, Clone)]
pub enum Message {
    Events(Arc<EventBatch>),
    /// Changed permissions, by listener number.
    Permissions(Arc<HashMap<u64, Permission>>),
    Heartbeat(Bytes),
}

impl Default for Channel {
    fn default() -> Self {
        let sender = broadcast::Sender::new(BEHIND_MAX);
        Self { sender, wake: Arc::default(), listeners: Arc::default() }
    }
}
