//! The order in which the entries of a cache were last used.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Keys, the least recently used first. Each operation takes logarithmic time.
#[derive(Debug)]
pub struct Recency<K> {
    /// The last use of each key.
    used: HashMap<K, u64>,
    order: BTreeSet<(u64, K)>,
    now: u64,
}

impl<K> Default for Recency<K> {
    fn default() -> Self {
        Self { used: HashMap::new(), order: BTreeSet::new(), now: 0 }
    }
}

impl<K: Copy + Eq + Hash + Ord> Recency<K> {
    pub fn len(&self) -> usize {
        self.used.len()
    }

    /// Makes the key the most recently used one.
    pub fn touch(&mut self, key: K) {
        self.now += 1;
        if let Some(before) = self.used.insert(key, self.now) {
            self.order.remove(&(before, key));
        }
        self.order.insert((self.now, key));
    }

    pub fn remove(&mut self, key: &K) {
        if let Some(used) = self.used.remove(key) {
            self.order.remove(&(used, *key));
        }
    }

    /// Takes the least recently used key out.
    pub fn pop_oldest(&mut self) -> Option<K> {
        let (_, key) = self.order.pop_first()?;
        self.used.remove(&key);
        Some(key)
    }
}
