//! Events, prepared once for all listeners. Listeners differ in what they may see: an item, and the name of a bidder. So
//! each event is rendered in full and without the name, and each listener gets the right text, in most cases shared bytes.

use std::collections::HashSet;
use std::ops::Range;

use axum::body::Bytes;
use serde::Serialize;

use super::snapshot::ItemSnapshot;
use crate::access::{Action, Role};
use crate::auctions::BidderVisibility;
use crate::auctions::visibility::{BidFacts, ItemViewer, visible_bidder};
use crate::bids::Bid;
use crate::bids::document::BidDocument;
use crate::ids::{ItemId, UserId};
use crate::items::access::ItemView;
use crate::items::document::ItemDocument;
use crate::items::outcomes::Outcome;
use platform::db::DbError;
use platform::http::sse;

/// The user of one stream.
#[derive(Debug, Clone, Copy)]
pub struct StreamUser {
    pub id: UserId,
    pub role: Option<Role>,
}

/// Prepared events. INVARIANT: it holds every bid past `from` and up to `upto`.
#[derive(Debug)]
pub struct EventBatch {
    pub from: i64,
    pub upto: i64,
    events: Vec<RenderedEvent>,
    full: Bytes,
    redacted: Bytes,
}

/// One event of a batch, and where its texts are.
#[derive(Debug)]
struct RenderedEvent {
    /// Of a bid; other events have none.
    id: Option<i64>,
    audience: Audience,
    full: Range<usize>,
    redacted: Range<usize>,
}

/// The listeners that an event is for.
#[derive(Debug)]
enum Audience {
    Everybody,
    /// Viewers who may see the item.
    Viewers(ItemAccess),
    /// Viewers who may no longer see the item.
    Others(ItemAccess),
}

/// What decides who sees an item, and the name of one of its bidders.
#[derive(Debug)]
struct ItemAccess {
    creator: UserId,
    seller: UserId,
    is_published: bool,
    visibility: BidderVisibility,
    /// The bid whose bidder the event names: of an item that of its leader, who is also the winner unless the item was
    /// resold.
    named: Option<BidFacts>,
    /// The event is only for members who watch the item, or only for other viewers.
    watching: Option<Watching>,
    /// The event is only for viewers who may know another bidder, or only for the others.
    knowing: Option<Knowing>,
}

/// Whether viewers watch an item or not.
#[derive(Debug)]
struct Watching {
    watchers: HashSet<UserId>,
    wanted: bool,
}

/// Whether viewers may know the bidder of a bid or not.
#[derive(Debug)]
struct Knowing {
    bid: BidFacts,
    wanted: bool,
}

/// The text of an event for one listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Nothing,
    Full,
    Redacted,
    /// The event names no bidder: both texts are equal.
    Either,
}

/// The data of `gone`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gone {
    item_id: ItemId,
}

/// Collects events for a batch.
#[derive(Debug, Default)]
pub struct EventBatchBuilder {
    events: Vec<RenderedEvent>,
    full: Vec<u8>,
    redacted: Vec<u8>,
}

impl EventBatchBuilder {
    /// The item as in a list, for viewers who may see it. It has no id.
    pub fn item(&mut self, snapshot: &ItemSnapshot) -> Result<(), DbError> {
        self.item_for(snapshot, false)?;
        if snapshot.watchers.is_empty() { Ok(()) } else { self.item_for(snapshot, true) }
    }

    /// The item, for the viewers who watch it or for the others.
    fn item_for(&mut self, snapshot: &ItemSnapshot, watched: bool) -> Result<(), DbError> {
        let item = &snapshot.item;
        let highest = item.highest_bid.as_ref();
        let leader = highest.map(|bid| snapshot.seen_in_bid(bid.bidder.id, bid.is_anonymous, bid.sequence));
        let sold = item.outcome.as_ref().and_then(Outcome::sold);
        let winner = sold.map(|sold| snapshot.seen_in_bid(sold.winner.id, sold.is_anonymous, sold.sequence));
        let is_resold = highest.zip(sold).is_some_and(|(bid, sold)| bid.sequence != sold.sequence);
        // The winner of a resold item is another bidder than the leader: a viewer may know one of them alone.
        let (named, other) = if is_resold { (leader, winner) } else { (leader.or(winner), None) };
        let cases: &[bool] = if other.is_some() { &[true, false] } else { &[true] };
        for &wanted in cases {
            let seen = ItemView { watched, ..snapshot.unredacted() };
            let mut document = ItemDocument::listed(seen, snapshot.now)?;
            hide_winner(&mut document, !wanted);
            let full = render("item", None, &document)?;
            hide_winner(&mut document, other.is_none());
            if let Some(highest) = &mut document.highest_bid {
                highest.bidder = None;
            }
            let redacted = render("item", None, &document)?;
            let access = ItemAccess::of(snapshot, named).for_watchers(snapshot, watched);
            let knowing = other.map(|bid| Knowing { bid, wanted });
            self.add(None, Audience::Viewers(ItemAccess { knowing, ..access }), &full, &redacted);
        }
        Ok(())
    }

    /// A bid on the snapshot's item, under `id`.
    pub fn bid(&mut self, snapshot: &ItemSnapshot, id: i64, bid: Bid) -> Result<(), DbError> {
        self.bid_event("bid", snapshot, Some(id), bid)
    }

    /// A withdrawn bid on the snapshot's item. It has no id.
    pub fn withdrawn(&mut self, snapshot: &ItemSnapshot, bid: Bid) -> Result<(), DbError> {
        self.bid_event("withdrawn", snapshot, None, bid)
    }

    fn bid_event(
        &mut self,
        kind: &str,
        snapshot: &ItemSnapshot,
        id: Option<i64>,
        bid: Bid,
    ) -> Result<(), DbError> {
        let named = snapshot.seen_in_bid(bid.bidder.id, bid.is_anonymous, bid.sequence);
        let full = render(kind, id, &BidDocument::new(bid.clone(), true)?)?;
        let redacted = render(kind, id, &BidDocument::new(bid, false)?)?;
        self.add(id, Audience::Viewers(ItemAccess::of(snapshot, Some(named))), &full, &redacted);
        Ok(())
    }

    /// An item that is no longer published, for viewers who may no longer see it.
    pub fn hidden(&mut self, snapshot: &ItemSnapshot) -> Result<(), DbError> {
        let audience = Audience::Others(ItemAccess::of(snapshot, None));
        self.gone(snapshot.item.id, audience)
    }

    /// A deleted item. It is sent to all listeners, also to viewers who could not see it: the id reveals nothing.
    pub fn deleted(&mut self, item_id: ItemId) -> Result<(), DbError> {
        self.gone(item_id, Audience::Everybody)
    }

    fn gone(&mut self, item_id: ItemId, audience: Audience) -> Result<(), DbError> {
        let text = render("gone", None, &Gone { item_id })?;
        self.add(None, audience, &text, &text);
        Ok(())
    }

    fn add(&mut self, id: Option<i64>, audience: Audience, full: &[u8], redacted: &[u8]) {
        self.events.push(RenderedEvent {
            id,
            audience,
            full: append(&mut self.full, full),
            redacted: append(&mut self.redacted, redacted),
        });
    }

    /// The batch of every bid past `from` and up to `upto`.
    pub fn finish(self, from: i64, upto: i64) -> EventBatch {
        EventBatch { from, upto, events: self.events, full: self.full.into(), redacted: self.redacted.into() }
    }
}

impl EventBatch {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The text for one listener that has received the bids up to `after`. May be empty.
    pub fn text(&self, user: StreamUser, after: i64) -> Bytes {
        let texts = || self.events.iter().map(|event| event.text(user, after));
        if texts().all(|text| matches!(text, Text::Full | Text::Either)) {
            return self.full.clone();
        }
        if texts().all(|text| matches!(text, Text::Redacted | Text::Either)) {
            return self.redacted.clone();
        }
        let mut own = Vec::new();
        for (event, text) in self.events.iter().zip(texts()) {
            own.extend_from_slice(match text {
                Text::Nothing => &[],
                Text::Full | Text::Either => self.full.get(event.full.clone()).unwrap_or_default(),
                Text::Redacted => self.redacted.get(event.redacted.clone()).unwrap_or_default(),
            });
        }
        own.into()
    }
}

impl RenderedEvent {
    fn text(&self, user: StreamUser, after: i64) -> Text {
        if self.id.is_some_and(|id| id <= after) {
            return Text::Nothing;
        }
        match &self.audience {
            Audience::Everybody => Text::Either,
            Audience::Viewers(item) if item.is_visible_to(user) && item.is_for(user) => item.text(user),
            Audience::Others(item) if !item.is_visible_to(user) => Text::Either,
            Audience::Viewers(_) | Audience::Others(_) => Text::Nothing,
        }
    }
}

impl ItemAccess {
    fn of(snapshot: &ItemSnapshot, named: Option<BidFacts>) -> Self {
        Self {
            creator: snapshot.item.creator.id,
            seller: snapshot.item.seller.id,
            is_published: snapshot.item.terms.is_published,
            visibility: snapshot.visibility,
            named,
            watching: None,
            knowing: None,
        }
    }

    /// For the watchers among the viewers of the snapshot's item, or for the others.
    fn for_watchers(self, snapshot: &ItemSnapshot, wanted: bool) -> Self {
        let watching =
            (!snapshot.watchers.is_empty()).then(|| Watching { watchers: snapshot.watchers.clone(), wanted });
        Self { watching, ..self }
    }

    fn is_visible_to(&self, user: StreamUser) -> bool {
        self.is_published
            || self.creator == user.id
            || user.role.is_some_and(|role| role.may(Action::ManageItems))
    }

    fn is_for(&self, user: StreamUser) -> bool {
        let watches = |watching: &Watching| watching.watchers.contains(&user.id) == watching.wanted;
        let knows = |knowing: &Knowing| self.shows(knowing.bid, user) == knowing.wanted;
        self.watching.as_ref().is_none_or(watches) && self.knowing.as_ref().is_none_or(knows)
    }

    fn text(&self, user: StreamUser) -> Text {
        match self.named {
            None => Text::Either,
            Some(bid) if self.shows(bid, user) => Text::Full,
            Some(_) => Text::Redacted,
        }
    }

    fn shows(&self, bid: BidFacts, user: StreamUser) -> bool {
        let viewer = ItemViewer { user: user.id, role: user.role, is_seller: self.seller == user.id };
        visible_bidder(self.visibility, viewer, bid).is_some()
    }
}

fn hide_winner(document: &mut ItemDocument, is_hidden: bool) {
    if let Some(outcome) = document.outcome.as_mut().filter(|_| is_hidden) {
        outcome.winner = None;
    }
}

fn append(text: &mut Vec<u8>, more: &[u8]) -> Range<usize> {
    let start = text.len();
    text.extend_from_slice(more);
    start..text.len()
}

/// One event as text.
pub fn render(kind: &str, id: Option<i64>, data: &impl Serialize) -> Result<Vec<u8>, DbError> {
    sse::event(kind, id, data).map_err(|error| DbError::Corrupt(error.to_string()))
}
