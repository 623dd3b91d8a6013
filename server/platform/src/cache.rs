//! A bounded cache. An entry is valid for one version of its source, and for a limited time.

use std::hash::Hash;

use parking_lot::Mutex;
use quick_cache::sync::Cache;

use crate::time::Moment;

/// Values by key. An entry is returned only for the version with which it was stored and within its time to
/// live, which bounds the effect of a change without a new version. A full cache drops entries that are not
/// used.
#[derive(Debug)]
pub struct VersionedCache<K, Version, V> {
    ttl_seconds: i64,
    entries: Cache<K, Entry<Version, V>>,
    /// Incremented by every removal. Removals and insertions hold the lock; reads of entries do not.
    generation: Mutex<u64>,
}

#[derive(Debug, Clone)]
struct Entry<Version, V> {
    version: Version,
    stored_at: Moment,
    expires_at: Moment,
    value: V,
}

/// The cache has no valid entry. Obtained before the value is read, so that
/// [`insert`](VersionedCache::insert) can detect removals since then.
#[derive(Debug, Clone, Copy)]
pub struct Miss {
    generation: u64,
}

impl<K: Eq + Hash, Version: PartialEq + Clone, V: Clone> VersionedCache<K, Version, V> {
    pub fn new(ttl_seconds: i64, entries_max: usize) -> Self {
        Self { ttl_seconds, entries: Cache::new(entries_max), generation: Mutex::new(0) }
    }

    pub fn get(&self, key: &K, version: &Version, now: Moment) -> Result<V, Miss> {
        let entry = self.entries.get(key).filter(|entry| entry.version == *version && entry.is_fresh(now));
        entry.map(|entry| entry.value).ok_or_else(|| self.miss())
    }

    /// A miss, of any key.
    pub fn miss(&self) -> Miss {
        Miss { generation: *self.generation.lock() }
    }

    /// Returns the entry, or the result of `read`, which is then stored.
    pub async fn get_or_read<E>(
        &self,
        key: K,
        version: Version,
        now: Moment,
        read: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        match self.get(&key, &version, now) {
            Ok(value) => Ok(value),
            Err(miss) => {
                let value = read.await?;
                self.insert(miss, key, version, value.clone(), now, None);
                Ok(value)
            }
        }
    }

    /// Stores a value that was read at `now`, unless an entry was removed since the miss: the value may be
    /// outdated. The entry expires at `expires_at` if that is before the end of its time to live.
    pub fn insert(
        &self,
        miss: Miss,
        key: K,
        version: Version,
        value: V,
        now: Moment,
        expires_at: Option<Moment>,
    ) {
        let generation = self.generation.lock();
        if *generation != miss.generation {
            return;
        }
        let ttl_end = now.plus_seconds(self.ttl_seconds);
        let expires_at = expires_at.map_or(ttl_end, |expires_at| expires_at.min(ttl_end));
        self.entries.insert(key, Entry { version, stored_at: now, expires_at, value });
    }

    /// Removes an entry. To be called after a change of its value is committed.
    pub fn remove(&self, key: &K) {
        let mut generation = self.generation.lock();
        *generation += 1;
        self.entries.remove(key);
    }

    /// Removes all entries that match. To be called after a change of these values is committed.
    pub fn remove_if(&self, matches: impl Fn(&V) -> bool) {
        let mut generation = self.generation.lock();
        *generation += 1;
        self.entries.retain(|_, entry| !matches(&entry.value));
    }

    pub fn clear(&self) {
        let mut generation = self.generation.lock();
        *generation += 1;
        self.entries.clear();
    }
}

impl<Version, V> Entry<Version, V> {
    /// An entry from the future is stale: the clock was set back.
    fn is_fresh(&self, now: Moment) -> bool {
        (self.stored_at..self.expires_at).contains(&now)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::ready;

    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    fn cache<K: Eq + Hash, Version: PartialEq + Clone>() -> VersionedCache<K, Version, &'static str> {
        VersionedCache::new(4, 8)
    }

    fn store(cache: &VersionedCache<&'static str, (), &'static str>, key: &'static str, value: &'static str) {
        let miss = cache.get(&key, &(), at(100)).unwrap_err();
        cache.insert(miss, key, (), value, at(100), None);
    }

    #[tokio::test]
    async fn an_entry_is_valid_for_its_version_and_its_time_to_live() {
        let cache = cache();
        let get = async |version: i64, now, value| {
            let read = ready(Ok::<_, Infallible>(value));
            cache.get_or_read("key", version, at(now), read).await.unwrap()
        };
        assert_eq!(get(1, 100, "first").await, "first");
        assert_eq!(get(1, 103, "second").await, "first");
        assert_eq!(get(2, 103, "second").await, "second", "another version");
        assert_eq!(get(2, 107, "third").await, "third", "expired");
        assert_eq!(get(2, 106, "fourth").await, "fourth", "the clock was set back");
    }

    #[test]
    fn an_entry_may_expire_before_its_time_to_live_but_not_after() {
        let cache = cache();
        for (key, expires_at, last) in [("short", 102, 101), ("long", 1000, 103)] {
            let miss = cache.get(&key, &(), at(100)).unwrap_err();
            cache.insert(miss, key, (), "value", at(100), Some(at(expires_at)));
            assert_eq!(cache.get(&key, &(), at(last)).ok(), Some("value"), "{key}");
            assert!(cache.get(&key, &(), at(last + 1)).is_err(), "{key}");
        }
    }

    #[test]
    fn a_value_read_before_a_removal_is_not_stored() {
        let cache = cache();
        let removals: [&dyn Fn(); 3] =
            [&|| cache.remove(&"key"), &|| cache.remove_if(|value| *value == "old"), &|| cache.clear()];
        for remove in removals {
            let miss = cache.get(&"key", &(), at(100)).unwrap_err();
            remove();
            cache.insert(miss, "key", (), "old", at(100), None);
            assert!(cache.get(&"key", &(), at(100)).is_err());
            store(&cache, "key", "old");
            remove();
            assert!(cache.get(&"key", &(), at(100)).is_err());
        }
    }

    #[test]
    fn a_removal_keeps_entries_that_do_not_match() {
        let cache = cache();
        store(&cache, "one", "1");
        store(&cache, "two", "2");
        store(&cache, "three", "3");
        cache.remove(&"one");
        cache.remove_if(|value| *value == "2");
        let has = |key| cache.get(&key, &(), at(100)).is_ok();
        assert_eq!((has("one"), has("two"), has("three")), (false, false, true));
    }

    #[test]
    fn a_full_cache_keeps_the_entries_in_use() {
        let cache = VersionedCache::new(4, 256);
        let store = |key| {
            if let Err(miss) = cache.get(&key, &(), at(100)) {
                cache.insert(miss, key, (), "value", at(100), None);
            }
        };
        let mut kept = 0;
        for other in 1_000..3_000 {
            (0..64).for_each(store);
            store(other);
            kept = (0..64).filter(|key| cache.get(key, &(), at(100)).is_ok()).count();
        }
        assert!(cache.entries.len() <= 256);
        assert!(kept > 60, "{kept} of 64 entries in use");
    }
}
