//! What has happened past some point, read from the ledger and the events.

use std::collections::{BTreeSet, HashMap};

use super::news::{Draft, News, Scene};
use crate::auctions::Auction;
use crate::bids::{self, Bid};
use crate::currencies;
use crate::events::store;
use crate::ids::ItemId;
use crate::items;
use crate::items::store::turns;
use crate::items::{Item, ItemStatus};
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Rows of one reading. Where there are more, the next one follows at once.
const ROWS_MAX: i64 = 200;

/// What listeners to one item know of it, apart from its bids while it is open: what differs from it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    item: Item,
    status: ItemStatus,
    legacy: bool,
}

impl Known {
    pub fn of(scene: &Scene) -> Self {
        let (mut item, status) = (scene.item.clone(), scene.status());
        // A closed item is told again with a bid that was judged before its end and kept after it.
        if status != ItemStatus::Closed {
            item.last_sequence = 0;
            item.highest_bid = None;
        }
        item.version = 0;
        item.updated_at = item.created_at;
        Self { item, status, legacy: scene.legacy }
    }

    /// When the clock opens or closes the item next.
    pub fn next_turn(&self, now: Moment) -> Option<Moment> {
        let turns = [self.item.terms.starts_at, self.item.ends_at];
        turns.into_iter().flatten().filter(|turn| *turn > now).min()
    }
}

/// An item of an auction with what telling of it needs.
pub async fn scene(
    conn: &mut Connection,
    auction: &Auction,
    item_id: ItemId,
    now: Moment,
) -> Result<Option<Scene>, DbError> {
    let Some(item) = items::store::find(conn, auction.id, item_id).await? else { return Ok(None) };
    let legacy = !currencies::store::any(conn, auction.id).await?;
    Ok(Some(Scene { item, visibility: auction.terms.bidder_visibility, legacy, now }))
}

/// What is new of one item past `from`: its bids, then the item if it is not as it is known.
pub async fn item_news(conn: &mut Connection, scene: &Scene, from: i64, tell: bool) -> Result<News, DbError> {
    let item = &scene.item;
    let bids = bids::store::following(conn, item.auction_id, item.id, from, ROWS_MAX).await?;
    let upto = bids.last().map_or(from, |bid| bid.sequence);
    let mut draft = Draft::default();
    for bid in bids {
        draft.bid(scene, bid.sequence, bid)?;
    }
    if tell {
        draft.item(scene)?;
    }
    Ok(draft.finish(from, upto))
}

/// What has happened in an auction.
#[derive(Debug)]
pub struct Happenings {
    from: i64,
    pub upto: i64,
    /// With their positions, in order.
    bids: Vec<(i64, Bid)>,
    /// Items that are not what they were, besides their bids.
    changed: BTreeSet<ItemId>,
    scenes: HashMap<ItemId, Scene>,
    /// There is more to read at once.
    pub more: bool,
}

/// What has happened in an auction past the position `from` and the moment `since`.
pub async fn happenings(
    conn: &mut Connection,
    auction: &Auction,
    (from, since): (i64, Moment),
    limit: Option<i64>,
    now: Moment,
) -> Result<Happenings, DbError> {
    let limit = limit.unwrap_or(ROWS_MAX);
    let events = store::events(conn, auction.id, from, limit).await?;
    let turned = turns::turned(conn, auction.id, since, now).await?;
    let more = i64::try_from(events.len()).is_ok_and(|read| read == limit);
    let mut found = Happenings {
        from,
        upto: events.last().map_or(from, |event| event.position),
        bids: Vec::new(),
        changed: turned.into_iter().collect(),
        scenes: HashMap::new(),
        more,
    };
    found.changed.extend(events.iter().filter(|event| event.item_changed).map(|event| event.item_id));
    let touched: BTreeSet<ItemId> =
        events.iter().map(|event| event.item_id).chain(found.changed.clone()).collect();
    for item_id in touched {
        // An item that is gone is passed over.
        if let Some(scene) = scene(conn, auction, item_id, now).await? {
            found.scenes.insert(item_id, scene);
        }
    }
    for event in events {
        let Some((first, last)) = event.bids else { continue };
        // Of the first event some bids may be known already.
        let known = (from - event.before()).max(0);
        let (after, count) = (first - 1 + known, last - first + 1 - known);
        let bids = bids::store::following(conn, auction.id, event.item_id, after, count).await?;
        let place = |bid: Bid| (event.position - (last - bid.sequence), bid);
        found.bids.extend(bids.into_iter().map(place));
    }
    Ok(found)
}

impl Happenings {
    /// For those who have listened all the time: the bids, then what else changed.
    pub fn as_they_come(self) -> Result<News, DbError> {
        let mut draft = Draft::default();
        self.tell_bids(&mut draft)?;
        for scene in self.changed.iter().filter_map(|id| self.scenes.get(id)) {
            draft.item(scene)?;
        }
        Ok(draft.finish(self.from, self.upto))
    }

    /// For somebody who comes back: every item that something happened to, then the bids.
    pub fn to_go_on_from(self) -> Result<News, DbError> {
        let mut draft = Draft::default();
        let mut scenes: Vec<&Scene> = self.scenes.values().collect();
        scenes.sort_by_key(|scene| scene.item.id);
        for scene in scenes {
            draft.item(scene)?;
        }
        self.tell_bids(&mut draft)?;
        Ok(draft.finish(self.from, self.upto))
    }

    fn tell_bids(&self, draft: &mut Draft) -> Result<(), DbError> {
        for (position, bid) in &self.bids {
            if let Some(scene) = self.scenes.get(&bid.item_id) {
                draft.bid(scene, *position, bid.clone())?;
            }
        }
        Ok(())
    }
}
