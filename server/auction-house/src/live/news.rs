//! What is told, prepared once for all who listen. What differs between them is whether a name stands in it: so
//! there are two texts of everything, and each listener is given the right one, in most cases the same bytes.

use std::ops::Range;

use axum::body::Bytes;
use serde::Serialize;

use crate::access::Role;
use crate::auctions::BidderVisibility;
use crate::auctions::visibility::{BidSeen, Onlooker, visible_bidder};
use crate::bids::Bid;
use crate::bids::document::BidDocument;
use crate::ids::UserId;
use crate::items::document::ItemDocument;
use crate::items::see::SeenItem;
use crate::items::{Item, ItemStatus};
use platform::db::DbError;
use platform::time::Moment;

/// An item at the moment in which something is told of it.
#[derive(Debug, Clone)]
pub struct Scene {
    pub item: Item,
    pub visibility: BidderVisibility,
    /// The auction has no currency profiles.
    pub legacy: bool,
    pub now: Moment,
}

/// Who listens.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    pub user: UserId,
    pub role: Option<Role>,
}

/// See the module. INVARIANT: it holds every bid past `from` and up to `upto`.
#[derive(Debug)]
pub struct News {
    pub from: i64,
    pub upto: i64,
    told: Vec<Told>,
    shown: Bytes,
    hidden: Bytes,
}

/// One event of the news.
#[derive(Debug)]
struct Told {
    /// Of a bid; an item has none.
    id: Option<i64>,
    creator: UserId,
    published: bool,
    visibility: BidderVisibility,
    /// Whose name is in it, if any is.
    named: Option<BidSeen>,
    shown: Range<usize>,
    hidden: Range<usize>,
}

/// What one listener is given of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Nothing,
    Shown,
    Hidden,
    /// There is no name in it: both texts are the same.
    Either,
}

/// News that are being put together.
#[derive(Debug, Default)]
pub struct Draft {
    told: Vec<Told>,
    shown: Vec<u8>,
    hidden: Vec<u8>,
}

impl Scene {
    pub fn of(seen: &SeenItem, now: Moment) -> Self {
        Self { item: seen.item.clone(), visibility: seen.visibility, legacy: seen.legacy, now }
    }

    pub fn status(&self) -> ItemStatus {
        self.item.status(self.now)
    }

    fn seen_in_bid(&self, bidder: UserId, is_anonymous: bool, sequence: i64) -> BidSeen {
        let won = sequence == self.item.last_sequence && self.status() == ItemStatus::Closed;
        BidSeen { bidder, is_anonymous, won }
    }

    /// As somebody sees it from whom nothing is hidden.
    fn seen(&self) -> SeenItem {
        let onlooker = Onlooker { viewer: self.item.creator.id, role: Some(Role::Owner), is_creator: true };
        SeenItem { item: self.item.clone(), onlooker, visibility: self.visibility, legacy: self.legacy }
    }
}

impl Draft {
    /// The item, whole. It has no id: who missed it is given the one of then.
    pub fn item(&mut self, scene: &Scene) -> Result<(), DbError> {
        let mut document = ItemDocument::of(scene.seen(), scene.now)?;
        let shown = frame("item", None, &document)?;
        if let Some(highest) = &mut document.highest_bid {
            highest.bidder = None;
        }
        let hidden = frame("item", None, &document)?;
        let highest = scene.item.highest_bid.as_ref();
        let named =
            highest.map(|bid| scene.seen_in_bid(bid.bidder.id, bid.is_anonymous, scene.item.last_sequence));
        self.add(scene, None, named, &shown, &hidden);
        Ok(())
    }

    /// A bid on the scene's item, under `id`.
    pub fn bid(&mut self, scene: &Scene, id: i64, bid: Bid) -> Result<(), DbError> {
        let named = scene.seen_in_bid(bid.bidder.id, bid.is_anonymous, bid.sequence);
        let mut document = BidDocument::new(bid, true)?;
        let shown = frame("bid", Some(id), &document)?;
        document.bidder = None;
        let hidden = frame("bid", Some(id), &document)?;
        self.add(scene, Some(id), Some(named), &shown, &hidden);
        Ok(())
    }

    fn add(&mut self, scene: &Scene, id: Option<i64>, named: Option<BidSeen>, shown: &[u8], hidden: &[u8]) {
        self.told.push(Told {
            id,
            creator: scene.item.creator.id,
            published: scene.item.terms.is_published,
            visibility: scene.visibility,
            named,
            shown: append(&mut self.shown, shown),
            hidden: append(&mut self.hidden, hidden),
        });
    }

    /// The news of every bid past `from` and up to `upto`.
    pub fn finish(self, from: i64, upto: i64) -> News {
        News { from, upto, told: self.told, shown: self.shown.into(), hidden: self.hidden.into() }
    }
}

impl News {
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// What of it is for one listener who knows the bids up to `after`. Empty where nothing is.
    pub fn text(&self, viewer: Viewer, after: i64) -> Bytes {
        let texts = || self.told.iter().map(|told| told.text(viewer, after));
        if texts().all(|text| matches!(text, Text::Shown | Text::Either)) {
            return self.shown.clone();
        }
        if texts().all(|text| matches!(text, Text::Hidden | Text::Either)) {
            return self.hidden.clone();
        }
        let mut own = Vec::new();
        for (told, text) in self.told.iter().zip(texts()) {
            own.extend_from_slice(match text {
                Text::Nothing => &[],
                Text::Shown | Text::Either => self.shown.get(told.shown.clone()).unwrap_or_default(),
                Text::Hidden => self.hidden.get(told.hidden.clone()).unwrap_or_default(),
            });
        }
        own.into()
    }
}

impl Told {
    fn text(&self, viewer: Viewer, after: i64) -> Text {
        let is_creator = self.creator == viewer.user;
        let may_see = self.published || is_creator || viewer.role.is_some_and(Role::manages);
        if !may_see || self.id.is_some_and(|id| id <= after) {
            return Text::Nothing;
        }
        let Some(bid) = self.named else { return Text::Either };
        let onlooker = Onlooker { viewer: viewer.user, role: viewer.role, is_creator };
        match visible_bidder(self.visibility, onlooker, bid) {
            Some(_) => Text::Shown,
            None => Text::Hidden,
        }
    }
}

fn append(text: &mut Vec<u8>, more: &[u8]) -> Range<usize> {
    let start = text.len();
    text.extend_from_slice(more);
    start..text.len()
}

/// One event as it is sent. JSON has no line breaks of its own.
pub fn frame(event: &str, id: Option<i64>, data: &impl Serialize) -> Result<Vec<u8>, DbError> {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let mut frame = format!("event: {event}\n{id}data: ").into_bytes();
    serde_json::to_writer(&mut frame, data).map_err(|error| DbError::Corrupt(error.to_string()))?;
    frame.extend_from_slice(b"\n\n");
    Ok(frame)
}

/// Tells where the stream stands, so that one that breaks before its first bid goes on from here. Without data it
/// is no event.
pub fn place(id: i64) -> Vec<u8> {
    format!("id: {id}\n\n").into_bytes()
}

/// A comment that shows that the stream is alive, with the server's time.
pub fn heartbeat(now: Moment) -> Bytes {
    format!(": {now}\n\n").into()
}
