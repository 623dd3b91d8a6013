use platform::time::Moment;
use rules_engine::ItemTerms;

use super::*;
use crate::auctions::AntiSnipe;
use crate::items::bidding::BidItem;
use crate::items::format::Format;

fn now() -> Moment {
    Moment::from_millis(0).unwrap()
}

fn auction() -> AuctionId {
    AuctionId::new(now())
}

fn member() -> Membership {
    Membership { role: Role::Bidder, number: None }
}

fn user() -> UserId {
    UserId::new(now())
}

#[test]
fn the_entries_of_a_hot_auction_survive_a_sweep_over_others() {
    let (hot, bidder) = (auction(), user());
    let others = Vec::from_iter((0..ENTRIES_MAX).map(|_| (auction(), user())));
    let mut cache = BatchCache::default();
    let version = |auction: AuctionId| LockedVersions::Rows([(auction.uuid(), 1)].into());
    let batch = |cache: &mut BatchCache, auction, user| {
        cache.invalidate_changed(&[auction].into(), &version(auction));
        cache.touch(&[(auction, user)].into(), &BTreeSet::new());
        let was_cached = cache.role(auction, user).is_some();
        if !was_cached {
            cache.insert_member(auction, user, member());
        }
        was_cached
    };
    batch(&mut cache, hot, bidder);
    for (auction, user) in &others {
        assert!(!batch(&mut cache, *auction, *user));
        assert!(batch(&mut cache, hot, bidder), "evicted after {} entries", cache.recency.len());
    }
    cache.invalidate_changed(&BTreeSet::new(), &LockedVersions::Rows([].into()));
    assert_eq!((cache.members.len(), cache.auctions.len()), (ENTRIES_MAX, ENTRIES_MAX));
    let (oldest, user) = others[0];
    assert_eq!((cache.role(oldest, user), cache.expected_versions(&[oldest].into()).is_none()), (None, true));
}

/// The version of an auction with this revision and this last position of its events.
fn version(revision: i64, position: i64) -> i64 {
    (revision << 32) + position
}

#[test]
fn a_changed_revision_drops_the_entries_of_its_auction_alone() {
    let (changed, kept, bidder) = (auction(), auction(), user());
    let mut cache = BatchCache::default();
    let both = BTreeSet::from([changed, kept]);
    let versions = |of_changed| LockedVersions::Rows([(changed.uuid(), of_changed), (kept.uuid(), 1)].into());
    cache.invalidate_changed(&both, &versions(version(1, 1)));
    both.iter().for_each(|auction| cache.insert_member(*auction, bidder, member()));
    cache.advance(&[(changed, 1)]);
    cache.invalidate_changed(&both, &versions(version(1, 2)));
    assert_eq!(cache.role(changed, bidder), Some(Role::Bidder));
    cache.invalidate_changed(&both, &versions(version(2, 2)));
    assert_eq!((cache.role(changed, bidder), cache.role(kept, bidder)), (None, Some(Role::Bidder)));
}

#[test]
fn bids_of_another_server_outdate_the_items_and_nothing_else() {
    let (auction, bidder) = (auction(), user());
    let (item_id, item) = (ItemId::new(now()), bid_item(auction));
    let mut cache = BatchCache::default();
    let versions = |version| LockedVersions::Rows([(auction.uuid(), version)].into());
    cache.invalidate_changed(&[auction].into(), &versions(version(1, 1)));
    cache.insert_member(auction, bidder, member());
    cache.insert_item(item_id, Some(ItemState::new(item, Arc::default())));
    cache.invalidate_changed(&[auction].into(), &versions(version(1, 3)));
    assert_eq!(cache.role(auction, bidder), Some(Role::Bidder));
    assert!(!cache.items.contains_key(&item_id) && cache.outdated.contains_key(&item_id));
    assert!(versions(version(1, 1)).is_overtaken_by(&versions(version(1, 3))));
    cache.invalidate_changed(&[auction].into(), &versions(version(2, 3)));
    assert!(cache.outdated.is_empty() && cache.members.is_empty());
}

#[test]
fn the_places_of_bids_follow_the_events_of_their_auction() {
    let (auction, bidder) = (auction(), user());
    let mut cache = BatchCache::default();
    let versions = LockedVersions::Rows([(auction.uuid(), version(7, 40))].into());
    cache.invalidate_changed(&[auction].into(), &versions);
    cache.insert_member(auction, bidder, member());
    assert_eq!(cache.next_position(auction), Some(41));
    cache.count_bid(auction);
    assert_eq!(cache.next_position(auction), Some(42));
    // A bid and two other changes.
    cache.advance(&[(auction, 3)]);
    assert_eq!(cache.next_position(auction), Some(44));
    assert_eq!(cache.next_position(self::auction()), None, "not read");
}

fn bid_item(auction_id: AuctionId) -> BidItem {
    BidItem {
        auction_id,
        book_id: None,
        has_group: false,
        is_free: true,
        creator_id: user(),
        seller_id: user(),
        is_published: true,
        starts_at: None,
        ends_at: None,
        sale_ends_at: None,
        closed_at: None,
        anti_snipe: AntiSnipe { enabled: false, threshold_seconds: 0, extension_seconds: 0 },
        format: Format::Open,
        seed: None,
        terms: ItemTerms::default(),
        legacy: None,
        row_version: 1,
        last_sequence: 0,
        last_position: None,
        withdrawals: 0,
        leading: None,
    }
}
