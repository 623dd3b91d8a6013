//! What item pages show over and over, kept as long as it is true: many look at the items that are bid on, and what
//! they see was read for somebody else just now. Every page asks how its item stands and whether its viewer may see it;
//! the rest is kept under that, on several servers too: whoever changes an auction raises its `revision`, and whoever
//! changes an item, each bid too, the item's version. Names are not in these: whoever changes one
//! [tells](PageCache::forget_people).

use auction_house::events::{Signal, Subscriber};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use auction_house::auctions::Auction;
use auction_house::auctions::access::{AccessError, AuctionView};
use auction_house::bids::pricing::PricingRules;
use auction_house::bids::{self, Bid};
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::{self, Item};
use installation::settings;
use platform::db::{Connection, Database, DbError};
use platform::time::Moment;

/// Bids that an item's page begins with.
const BIDS: u32 = 50;
/// What nobody tells, such as a write by hand, is not seen for this long at most.
const KEPT_SECONDS: i64 = 4;
/// Of each kind, at most. What is full is emptied: it fills again with what is in use.
const ENTRIES_MAX: usize = 256;

/// See the module.
#[derive(Debug, Default)]
pub struct PageCache {
    items: Kept<ItemId, (i64, i64, u64), (Auction, Item)>,
    pricing: Kept<AuctionId, i64, PricingRules>,
    bids: Kept<ItemId, (i64, u64), Vec<Bid>>,
    admin: Kept<(), u64, Option<UserId>>,
    /// How often somebody changed who is somebody.
    people: AtomicU64,
}

impl PageCache {
    /// An item with its auction, as this viewer may know of it. Whether the auction is `outlasted` may be a few seconds
    /// old: no item's page shows that.
    pub async fn item(
        &self,
        conn: &mut Connection,
        auction_id: AuctionId,
        item_id: ItemId,
        viewer: UserId,
        now: Moment,
    ) -> Result<(AuctionView, Item), AccessError> {
        let standing = items::store::standing(conn, auction_id, item_id, viewer).await?;
        let standing = standing.ok_or(AccessError::NotFound)?;
        let stand = (standing.revision, standing.version, self.people());
        let read = async {
            let found = items::store::find_in_auction(conn, auction_id, item_id, viewer, now).await?;
            // As whom it was read does not matter to the next viewer.
            found.map(|(seen, item)| (seen.auction, item)).ok_or(AccessError::NotFound)
        };
        let kept = self.items.get(item_id, stand, now, read).await?;
        let (auction, item) = &*kept;
        let auction = AuctionView { auction: auction.clone(), viewer, role: standing.role };
        if auction.is_visible() { Ok((auction, item.clone())) } else { Err(AccessError::NotFound) }
    }

    /// The auction's currencies and rules.
    pub async fn pricing(
        &self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<Arc<PricingRules>, DbError> {
        self.pricing.get(auction.id, auction.revision, now, PricingRules::read(conn, auction.id)).await
    }

    /// The item's newest bids, newest first: those up to the one that it was read with.
    pub async fn newest_bids(
        &self,
        conn: &mut Connection,
        item: &Item,
        now: Moment,
    ) -> Result<Arc<Vec<Bid>>, DbError> {
        let stand = (item.last_sequence, self.people());
        let read = bids::store::newest(conn, item.auction_id, item.id, item.last_sequence + 1, BIDS);
        self.bids.get(item.id, stand, now, read).await
    }

    /// Whether this is the Deployment Admin: for what a page shows. What they do is asked for anew.
    pub async fn is_admin(&self, db: &Database, user: UserId, now: Moment) -> Result<bool, DbError> {
        let read = async { settings::store::admin_id(&mut db.read().await?).await };
        Ok(*self.admin.get((), self.people(), now, read).await? == Some(user))
    }

    /// To be called once it is committed that somebody has another name, or is gone, or that somebody else administers.
    pub fn forget_people(&self) {
        self.people.fetch_add(1, Ordering::Relaxed);
    }

    fn people(&self) -> u64 {
        self.people.load(Ordering::Relaxed)
    }
}

impl Subscriber for PageCache {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::User(_) | Signal::Everything => self.forget_people(),
            Signal::Items(_) | Signal::Session(_) => {}
        }
    }
}

/// For each key one value, and how things stood before it was read.
#[derive(Debug)]
struct Kept<K, S, V>(Mutex<HashMap<K, Entry<S, V>>>);

#[derive(Debug)]
struct Entry<S, V> {
    stand: S,
    read_at: Moment,
    value: Arc<V>,
}

impl<K, S, V> Default for Kept<K, S, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, S: PartialEq, V> Kept<K, S, V> {
    /// The value as it is while things stand so. What is read is at least as new.
    async fn get<E>(
        &self,
        key: K,
        stand: S,
        now: Moment,
        read: impl Future<Output = Result<V, E>>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.find(&key, &stand, now) {
            return Ok(value);
        }
        let value = Arc::new(read.await?);
        let mut entries = self.lock();
        if entries.len() >= ENTRIES_MAX {
            entries.clear();
        }
        entries.insert(key, Entry { stand, read_at: now, value: Arc::clone(&value) });
        Ok(value)
    }

    fn find(&self, key: &K, stand: &S, now: Moment) -> Option<Arc<V>> {
        let entries = self.lock();
        let found = entries.get(key).filter(|entry| entry.stand == *stand && entry.is_fresh(now));
        found.map(|entry| Arc::clone(&entry.value))
    }

    /// Nothing panics while it holds the lock, and what is kept is whole at any time.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<K, Entry<S, V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S, V> Entry<S, V> {
    /// Not where the clock was set back, either.
    fn is_fresh(&self, now: Moment) -> bool {
        (self.read_at..self.read_at.plus_seconds(KEPT_SECONDS)).contains(&now)
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    #[tokio::test]
    async fn what_stands_as_it_stood_is_not_read_again() {
        let kept = Kept::<&str, i64, &str>::default();
        let get = async |stand, now, value| {
            *kept.get("key", stand, at(now), ready(Ok::<_, DbError>(value))).await.unwrap()
        };
        assert_eq!(get(1, 100, "first").await, "first");
        assert_eq!(get(1, 103, "second").await, "first");
        assert_eq!(get(2, 103, "second").await, "second", "something has changed");
        assert_eq!(get(2, 107, "third").await, "third", "it was long ago");
        assert_eq!(get(2, 106, "fourth").await, "fourth", "the clock was set back");
    }

    #[tokio::test]
    async fn it_does_not_grow_without_end() {
        let kept = Kept::<usize, (), ()>::default();
        for key in 0..=ENTRIES_MAX {
            kept.get(key, (), at(0), ready(Ok::<_, DbError>(()))).await.unwrap();
        }
        assert_eq!(kept.lock().len(), 1);
    }
}
