//! A bound on those that wait.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

/// Most that wait at once.
const ALL_MAX: usize = 256;
/// Most of one key that wait at once, so that one alone can't fill the queue: a hall signs in within a
/// minute.
const KEY_MAX: usize = 64;

/// Counts those that wait, in all and by key.
pub struct Queue<K: Hash + Eq + Copy>(Arc<Mutex<Waiting<K>>>);

struct Waiting<K> {
    all: usize,
    by_key: HashMap<K, usize>,
}

/// A place in the queue, until it is dropped.
pub struct Place<K: Hash + Eq + Copy> {
    queue: Arc<Mutex<Waiting<K>>>,
    key: Option<K>,
}

impl<K: Hash + Eq + Copy> Default for Queue<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Waiting { all: 0, by_key: HashMap::new() })))
    }
}

impl<K: Hash + Eq + Copy> Queue<K> {
    /// Takes a place. `None` if the queue is full, or too many of this key wait.
    pub fn enter(&self, key: Option<K>) -> Option<Place<K>> {
        let mut waiting = self.0.lock();
        if waiting.all == ALL_MAX {
            return None;
        }
        if let Some(key) = key {
            let count = waiting.by_key.entry(key).or_default();
            if *count == KEY_MAX {
                return None;
            }
            *count += 1;
        }
        waiting.all += 1;
        Some(Place { queue: Arc::clone(&self.0), key })
    }
}

impl<K: Hash + Eq + Copy> Drop for Place<K> {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.all -= 1;
        let Some(key) = self.key else { return };
        if let Some(count) = waiting.by_key.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                waiting.by_key.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_leaves_places_to_others() {
        let queue = Queue::default();
        let mut places: Vec<_> = (0..KEY_MAX).map(|_| queue.enter(Some(1)).unwrap()).collect();
        assert!(queue.enter(Some(1)).is_none());
        assert!(queue.enter(Some(2)).is_some());
        places.pop();
        assert!(queue.enter(Some(1)).is_some());
    }

    #[test]
    fn the_queue_is_bounded() {
        let queue = Queue::default();
        let places: Vec<_> = (0..ALL_MAX).map(|n| queue.enter(Some(n)).unwrap()).collect();
        assert!(queue.enter(None).is_none() && queue.enter(Some(ALL_MAX)).is_none());
        drop(places);
        assert!(queue.enter(None).is_some());
        assert!(queue.0.lock().by_key.is_empty());
    }
}
