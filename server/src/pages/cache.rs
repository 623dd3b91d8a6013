//! Caches of what item pages show, since many viewers look at the same items. Every page reads the versions
//! of its item and auction, and whether its viewer may see them; the rest is cached under these versions,
//! also with several servers: each change of an auction increments its `revision`, each change of an item,
//! bids included, the item's version. No version shows a change of a user's name: that calls
//! [`PageCache::forget_people`].

use super::header::Unread;
use super::newest_bids::NewestBids;
use app::components::prose;
use app::fragments::Fragments;
use app::model::RenderedText;
use auction_house::events::Signal;
use quick_cache::Weighter;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use accounts::administration::store::admin_id;
use auction_house::auctions::Auction;
use auction_house::auctions::access::{AccessError, AuctionView};
use auction_house::bids;
use auction_house::bids::pricing::PricingRules;
use auction_house::engine::Normalized;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::inbox::list::UNREAD_MAX;
use auction_house::items::access::ItemView;
use auction_house::items::list::{self, ItemQuery};
use auction_house::items::outcomes::results::{self, AuctionResults};
use auction_house::items::{self, Item};
use auction_house::notifications;
use auction_house::usage;
use installation::Installation;
use installation::updates::{self, Pause};
use platform::cache::VersionedCache;
use platform::db::{Connection, Database, DbError};
use platform::paging::Paged;
use platform::signals::Subscriber;
use platform::time::Moment;

/// Bounds how long a change is missed that no version shows, such as a manual write to the database.
const TTL_SECONDS: i64 = 60;
/// How old a value without a version of its own may be.
const UNVERSIONED_TTL_SECONDS: i64 = 4;
/// How long a page may miss that an update pauses writes, or will do so.
const PAUSE_TTL_SECONDS: i64 = 1;
/// The most entries of each cache.
const ENTRIES_MAX: usize = 256;
/// The most items of lists that are cached, and whose last prices are: a page of a catalogue shows many.
const LISTED_MAX: usize = 4096;
/// The most auctions whose results are cached: each may have thousands of items.
const RESULTS_MAX: usize = 8;

/// The most users whose counts of notifications are cached.
const INBOXES_MAX: usize = 4096;

/// The expected number of rendered texts, and the most bytes that they take.
const TEXTS: usize = 1024;
const TEXTS_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Weighs a rendered text and its Markdown.
#[derive(Debug, Clone)]
struct TextBytes;

impl Weighter<String, RenderedText> for TextBytes {
    fn weight(&self, markdown: &String, text: &RenderedText) -> u64 {
        (markdown.len() + text.html().len()) as u64
    }
}

/// The last standing prices of an item, and for which of its bids and withdrawals.
type Trends = Cache<ItemId, (i64, i64), Vec<Normalized>>;

/// One cache for each part of the pages of items.
#[derive(Debug)]
pub struct PageCache {
    items: Cache<ItemId, (i64, i64, u64), (Auction, Item)>,
    /// Items as lists show them.
    listed: Cache<ItemId, (i64, i64, u64), Item>,
    pricing: Cache<AuctionId, i64, PricingRules>,
    bids: Cache<ItemId, (i64, u64), NewestBids>,
    trends: Trends,
    results: Cache<AuctionId, i64, AuctionResults>,
    raised: VersionedCache<AuctionId, i64, Option<Normalized>>,
    /// By the Markdown.
    texts: quick_cache::sync::Cache<String, RenderedText, TextBytes>,
    admin: Cache<(), u64, Option<UserId>>,
    pause: VersionedCache<(), (), Option<Pause>>,
    inboxes: VersionedCache<UserId, (), Unread>,
    /// Parts of pages as HTML.
    pub fragments: Arc<Fragments>,
    /// Incremented by each change of a user or of the Deployment Admin.
    people: AtomicU64,
}

type Cache<K, Version, V> = VersionedCache<K, Version, Arc<V>>;

fn cache<K: Eq + Hash, Version: PartialEq + Clone, V>() -> Cache<K, Version, V> {
    VersionedCache::new(TTL_SECONDS, ENTRIES_MAX)
}

impl Default for PageCache {
    fn default() -> Self {
        let (items, pricing, bids, admin) = (cache(), cache(), cache(), cache());
        let pause = VersionedCache::new(PAUSE_TTL_SECONDS, 1);
        let listed = VersionedCache::new(TTL_SECONDS, LISTED_MAX);
        let results = VersionedCache::new(TTL_SECONDS, RESULTS_MAX);
        let trends = VersionedCache::new(TTL_SECONDS, LISTED_MAX);
        let raised = VersionedCache::new(UNVERSIONED_TTL_SECONDS, ENTRIES_MAX);
        let texts = quick_cache::sync::Cache::with_weighter(TEXTS, TEXTS_BYTES_MAX, TextBytes);
        let inboxes = VersionedCache::new(UNVERSIONED_TTL_SECONDS, INBOXES_MAX);
        let (fragments, people) = (Arc::default(), AtomicU64::default());
        Self {
            items,
            listed,
            pricing,
            bids,
            trends,
            results,
            raised,
            texts,
            admin,
            pause,
            inboxes,
            fragments,
            people,
        }
    }
}

impl PageCache {
    /// An item with its auction, as this viewer may see it, and whether the viewer watches it. `outlasted` of
    /// the auction may be a few seconds old: no item page shows it.
    pub async fn item(
        &self,
        conn: &mut Connection,
        auction_id: AuctionId,
        item_id: ItemId,
        viewer: UserId,
        now: Moment,
    ) -> Result<(AuctionView, Item, bool), AccessError> {
        let standing = items::store::standing(conn, auction_id, item_id, viewer).await?;
        let standing = standing.ok_or_else(|| AccessError::hidden_from(viewer))?;
        let version = (standing.revision, standing.version, self.people());
        let read = async {
            let found = items::store::find_in_auction(conn, auction_id, item_id, viewer, now).await?;
            // Nothing in it depends on the viewer that it was read for.
            let found = found.map(|(seen, item, _)| Arc::new((seen.auction, item)));
            found.ok_or_else(|| AccessError::hidden_from(viewer))
        };
        let cached = self.items.get_or_read(item_id, version, now, read).await?;
        let (auction, item) = &*cached;
        let auction = AuctionView { auction: auction.clone(), viewer, role: standing.role };
        if !items::access::is_visible(&auction, item) {
            return Err(AccessError::hidden_from(viewer));
        }
        Ok((auction, item.clone(), standing.watched))
    }

    /// The items that [`list_items`](list::list_items) lists. Only those are read that have changed.
    pub async fn listed_items(
        &self,
        conn: &mut Connection,
        auction: &AuctionView,
        query: &ItemQuery,
        now: Moment,
    ) -> Result<Paged<ItemView>, DbError> {
        let versions = list::list_versions(conn, auction, query, now).await?;
        let (mut found, mut missing) = (HashMap::new(), HashMap::new());
        for (id, version) in &versions.entries {
            let version = (auction.auction.revision, *version, self.people());
            match self.listed.get(id, &version, now) {
                Ok(item) => drop(found.insert(*id, item)),
                Err(miss) => drop(missing.insert(*id, (miss, version))),
            }
        }
        for item in items::store::find_listed(conn, &Vec::from_iter(missing.keys().copied())).await? {
            let (id, item) = (item.id, Arc::new(item));
            if let Some((miss, version)) = missing.remove(&id) {
                self.listed.insert(miss, id, version, Arc::clone(&item), now, None);
            }
            found.insert(id, item);
        }
        // One that was deleted meanwhile is missing.
        let page = versions.filter_map(|(id, _)| Some(Item::clone(found.get(&id)?)));
        list::seen(conn, auction, page).await
    }

    /// The auction's currencies and rules.
    pub async fn pricing(
        &self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<Arc<PricingRules>, DbError> {
        let read = async { PricingRules::read(conn, auction.id).await.map(Arc::new) };
        self.pricing.get_or_read(auction.id, auction.revision, now, read).await
    }

    /// The currencies and rules of auctions, which are read together.
    pub async fn pricing_of(
        &self,
        conn: &mut Connection,
        auctions: impl Iterator<Item = &Auction>,
        now: Moment,
    ) -> Result<HashMap<AuctionId, Arc<PricingRules>>, DbError> {
        let (mut found, mut missing) = (HashMap::new(), HashMap::new());
        for auction in auctions {
            match self.pricing.get(&auction.id, &auction.revision, now) {
                Ok(pricing) => drop(found.insert(auction.id, pricing)),
                Err(miss) => drop(missing.insert(auction.id, (miss, auction.revision))),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        for (id, pricing) in PricingRules::read_all(conn, &Vec::from_iter(missing.keys().copied())).await? {
            let pricing = Arc::new(pricing);
            if let Some((miss, revision)) = missing.remove(&id) {
                self.pricing.insert(miss, id, revision, Arc::clone(&pricing), now, None);
            }
            found.insert(id, pricing);
        }
        Ok(found)
    }

    /// The item's newest bids, up to the one that was the newest when the item was read, and prices from
    /// before them.
    pub async fn newest_bids(
        &self,
        conn: &mut Connection,
        item: &Item,
        now: Moment,
    ) -> Result<Arc<NewestBids>, DbError> {
        let version = (item.withdrawals, self.people());
        let (miss, newer) = match self.bids.get(&item.id, &version, now) {
            Ok(bids) if bids.are_of(item) => return Ok(bids),
            Ok(bids) => (self.bids.miss(), bids.and_newer(conn, item).await?),
            Err(miss) => (miss, None),
        };
        let bids = match newer {
            Some(bids) => bids,
            None => NewestBids::read(conn, item, now).await?,
        };
        let expires_at = bids.read_at.plus_seconds(TTL_SECONDS);
        let bids = Arc::new(bids);
        self.bids.insert(miss, item.id, version, Arc::clone(&bids), now, Some(expires_at));
        Ok(bids)
    }

    /// The last standing prices of items, in the order in which they were placed. Only those are read in
    /// whose bids something has changed.
    pub async fn trends(
        &self,
        conn: &mut Connection,
        items: impl Iterator<Item = &Item>,
        now: Moment,
    ) -> Result<HashMap<ItemId, Arc<Vec<Normalized>>>, DbError> {
        let (mut found, mut missing) = (HashMap::new(), Vec::new());
        for item in items.filter(|item| item.last_sequence > 0) {
            let version = (item.last_sequence, item.withdrawals);
            match self.trends.get(&item.id, &version, now) {
                Ok(prices) => drop(found.insert(item.id, prices)),
                Err(miss) => missing.push((miss, item.id, version)),
            }
        }
        let wanted = Vec::from_iter(missing.iter().map(|(_, id, (last, _))| (*id, *last)));
        let mut read = bids::prices::newest_prices(conn, &wanted).await?;
        for (miss, id, version) in missing {
            let prices = Arc::new(read.remove(&id).unwrap_or_default());
            self.trends.insert(miss, id, version, Arc::clone(&prices), now, None);
            found.insert(id, prices);
        }
        Ok(found)
    }

    /// All results of the auction.
    pub async fn results(
        &self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<Arc<AuctionResults>, DbError> {
        let read = async { results::read(conn, auction.id).await.map(Arc::new) };
        self.results.get_or_read(auction.id, auction.revision, now, read).await
    }

    /// What was bid in the auction so far, a few seconds ago; with `currency` only on items in this ISO 4217
    /// currency. `None` if it is too large to be added up.
    pub async fn raised(
        &self,
        conn: &mut Connection,
        auction: &Auction,
        currency: Option<&'static str>,
        now: Moment,
    ) -> Result<Option<Normalized>, DbError> {
        let read = usage::raised(conn, auction.id, currency);
        self.raised.get_or_read(auction.id, auction.revision, now, read).await
    }

    /// The text as HTML.
    pub fn rendered(&self, markdown: String) -> RenderedText {
        if let Some(text) = self.texts.get(&markdown) {
            return text;
        }
        let text = prose::rendered(&markdown);
        self.texts.insert(markdown, text.clone());
        text
    }

    /// The Deployment Admin, for what a page shows. Actions read it from the database.
    pub async fn admin(&self, db: &Database, now: Moment) -> Result<Option<UserId>, DbError> {
        let read = async { admin_id(&mut db.read().await?).await.map(Arc::new) };
        Ok(*self.admin.get_or_read((), self.people(), now, read).await?)
    }

    /// Whether an update pauses writes, or will do so.
    pub async fn pause(&self, installation: &Installation, now: Moment) -> Result<Option<Pause>, DbError> {
        self.pause.get_or_read((), (), now, updates::pause(installation)).await
    }

    /// How many notifications of a user are unread.
    pub async fn inbox(&self, db: &Database, user: UserId, now: Moment) -> Result<Unread, DbError> {
        let read = async {
            // A notification is counted, or the stream tells of it.
            let conn = &mut db.snapshot().await?;
            let count = notifications::store::unread(conn, user, UNREAD_MAX).await?;
            Ok(Unread { count, last: notifications::store::last_id(conn, user).await? })
        };
        self.inboxes.get_or_read(user, (), now, read).await
    }

    /// To be called after a change or deletion of a user, or another Deployment Admin, is committed.
    pub fn forget_people(&self) {
        self.people.fetch_add(1, Ordering::Relaxed);
    }

    fn people(&self) -> u64 {
        self.people.load(Ordering::Relaxed)
    }
}

impl Subscriber<Signal> for PageCache {
    fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Everything => self.inboxes.clear(),
            Signal::UserEvents(users) => users.iter().for_each(|user| self.inboxes.remove(user)),
            Signal::Items(_) | Signal::AllItems(_) => {}
        }
    }
}

impl Subscriber<accounts::Signal> for PageCache {
    fn hear(&self, signal: &accounts::Signal) {
        match signal {
            accounts::Signal::User(_) | accounts::Signal::EveryUser => self.forget_people(),
            accounts::Signal::Session(_) => {}
        }
    }
}
