//! Events, prepared once for all listeners. Listeners differ in what they may see, so each event has one text
//! for each `ViewClass`. Listeners who see the same texts share their bytes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use axum::body::Bytes;
use parking_lot::Mutex;
use serde::Serialize;

use super::snapshot::ItemSnapshot;
use crate::access::{Action, Role};
use crate::auctions::people::PeopleShown;
use crate::auctions::visibility::{BidFacts, ItemViewer, shows_bidder};
use crate::auctions::{BidderVisibility, ReadableBy};
use crate::bids::Bid;
use crate::bids::KnownPeople;
use crate::bids::document::BidDocument;
use crate::bids::list::knows_clerk;
use crate::ids::{ItemId, UserId};
use crate::items::access::ItemView;
use crate::items::document::ItemDocument;
use crate::items::outcomes::{Outcome, SoldBid};
use accounts::Person;
use platform::db::DbError;
use platform::http::sse;

/// The viewer of one stream.
#[derive(Debug, Clone, Copy)]
pub struct StreamUser {
    /// [`UserId::NOBODY`] without an account.
    pub id: UserId,
    pub role: Option<Role>,
    /// No member of an auction that anyone might read when the viewer was last authorized. If it has been
    /// closed to readers since, the viewer gets nothing more.
    pub is_outsider: bool,
}

/// Prepared events. INVARIANT: it holds every bid past `from` and up to `upto`.
#[derive(Debug)]
pub struct EventBatch {
    pub from: i64,
    pub upto: i64,
    events: Vec<RenderedEvent>,
    /// The texts of all events.
    texts: Vec<u8>,
    /// What listeners received, by the beginnings of its texts.
    received: Mutex<HashMap<Vec<usize>, Bytes>>,
}

/// One event of a batch, and where its texts are.
#[derive(Debug)]
struct RenderedEvent {
    /// Id of the event. Only bids have one.
    id: Option<i64>,
    audience: Audience,
    texts: Vec<(ViewClass, Range<usize>)>,
}

/// The listeners that an event is for.
#[derive(Debug)]
enum Audience {
    Everybody,
    /// Viewers who may see the item.
    Viewers(ItemAccess),
    /// Viewers who may no longer see the item.
    Others(ItemAccess),
    /// Viewers who saw a draft of this user, which is deleted.
    FormerViewers(UserId),
}

/// The viewers who see the same of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ViewClass {
    /// They watch the item.
    watches: bool,
    /// They may know the leader, or the bidder of the event's bid.
    knows_bidder: bool,
    /// They may know the people of the outcome: the winner is another bidder if the item was resold.
    knows_winner: bool,
    /// They may know the clerk who has placed the event's bid.
    knows_clerk: bool,
    /// They are no members of an auction that anyone may read, and may know nobody.
    is_outsider: bool,
}

/// What decides which viewers see an item, and in which class they are.
#[derive(Debug)]
struct ItemAccess {
    creator: UserId,
    seller: UserId,
    is_published: bool,
    visibility: BidderVisibility,
    readable_by: ReadableBy,
    watchers: HashSet<UserId>,
    bid: Option<BidFacts>,
    outcome: Option<BidFacts>,
    /// The bidder, if a clerk has placed the event's bid.
    placed_for: Option<UserId>,
}

/// The data of `gone`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gone {
    item_id: ItemId,
}

/// The data of `block`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    item_id: Option<ItemId>,
}

/// The data of `order`.
#[derive(Serialize)]
struct Order {}

/// The event that says which item is on the block.
pub fn block(item_id: Option<ItemId>) -> Result<Vec<u8>, DbError> {
    render("block", None, &Block { item_id })
}

/// Collects events for a batch.
#[derive(Debug, Default)]
pub struct EventBatchBuilder {
    events: Vec<RenderedEvent>,
    texts: Vec<u8>,
}

impl EventBatchBuilder {
    /// The item as in a list, for viewers who may see it. It has no id.
    pub fn item(&mut self, snapshot: &ItemSnapshot) -> Result<(), DbError> {
        let item = &snapshot.item;
        let leader = item.highest_bid.as_ref();
        let outcome = item.outcome.as_ref().map(|outcome| SoldBid::facts(outcome.sold(), true));
        let access = ItemAccess {
            watchers: snapshot.watchers.clone(),
            bid: leader.map(|bid| snapshot.seen_in_bid(bid.bidder.id, bid.is_anonymous, bid.sequence)),
            outcome,
            ..ItemAccess::of(snapshot)
        };
        let text = |class| render("item", None, &item_for(snapshot, class)?);
        self.add(None, Audience::Viewers(access), text)
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
        let facts = snapshot.seen_in_bid(bid.bidder.id, bid.is_anonymous, bid.sequence);
        let placed_for = bid.by_clerk.as_ref().map(|_| bid.bidder.id);
        let access = ItemAccess { bid: Some(facts), placed_for, ..ItemAccess::of(snapshot) };
        let text = |class: ViewClass| {
            let known = KnownPeople { bidder: class.knows_bidder, clerk: class.knows_clerk };
            let document = BidDocument::new(bid.clone(), known, &people_for(snapshot, class))?;
            render(kind, id, &document.on_draw(snapshot.item.terms.format.draw()))
        };
        self.add(id, Audience::Viewers(access), text)
    }

    /// The item that is on the block now. It has no id.
    pub fn block(&mut self, item_id: Option<ItemId>) -> Result<(), DbError> {
        self.add(None, Audience::Everybody, |_| block(item_id))
    }

    /// The running order has changed. It has no id.
    pub fn order(&mut self) -> Result<(), DbError> {
        self.add(None, Audience::Everybody, |_| render("order", None, &Order {}))
    }

    /// An item that is no longer published, for viewers who may no longer see it.
    pub fn hidden(&mut self, snapshot: &ItemSnapshot) -> Result<(), DbError> {
        self.gone(snapshot.item.id, Audience::Others(ItemAccess::of(snapshot)))
    }

    /// A deleted item. A draft of `draft_of` is gone for those who saw it: nobody else is to learn that
    /// there was one.
    pub fn deleted(&mut self, item_id: ItemId, draft_of: Option<UserId>) -> Result<(), DbError> {
        self.gone(item_id, draft_of.map_or(Audience::Everybody, Audience::FormerViewers))
    }

    fn gone(&mut self, item_id: ItemId, audience: Audience) -> Result<(), DbError> {
        self.add(None, audience, |_| render("gone", None, &Gone { item_id }))
    }

    /// Adds an event with its text for each class of its audience.
    fn add(
        &mut self,
        id: Option<i64>,
        audience: Audience,
        text: impl Fn(ViewClass) -> Result<Vec<u8>, DbError>,
    ) -> Result<(), DbError> {
        let mut texts = Vec::new();
        for class in audience.classes() {
            let start = self.texts.len();
            self.texts.extend(text(class)?);
            texts.push((class, start..self.texts.len()));
        }
        self.events.push(RenderedEvent { id, audience, texts });
        Ok(())
    }

    /// The batch of every bid past `from` and up to `upto`.
    pub fn finish(self, from: i64, upto: i64) -> EventBatch {
        EventBatch { from, upto, events: self.events, texts: self.texts, received: Mutex::default() }
    }
}

/// How the viewers of a class see people.
fn people_for(snapshot: &ItemSnapshot, class: ViewClass) -> PeopleShown {
    if class.is_outsider { snapshot.people.to_outsiders() } else { snapshot.people.clone() }
}

/// The item as the viewers of a class see it.
fn item_for(snapshot: &ItemSnapshot, class: ViewClass) -> Result<ItemDocument, DbError> {
    let people = people_for(snapshot, class);
    let hidden = |person: &Person| people.person(person.clone(), false);
    let view = ItemView { watched: class.watches, people: people.clone(), ..snapshot.unredacted() };
    let mut document = ItemDocument::listed(view, snapshot.now)?;
    if let Some(highest) = document.highest_bid.as_mut().filter(|_| !class.knows_bidder) {
        highest.bidder = snapshot.item.highest_bid.as_ref().and_then(|bid| hidden(&bid.bidder));
    }
    // Classes tell who knows the winner of the first copy; of the others a stream shows what all may know.
    let knows_all = people_for(snapshot, class).visibility == BidderVisibility::Visible;
    let shown = document.outcome.iter_mut().chain(&mut document.outcomes);
    for outcome in shown {
        if class.knows_winner && (outcome.copy == 1 || knows_all) {
            continue;
        }
        let kept = snapshot.item.outcomes().find(|kept| kept.copy == outcome.copy);
        outcome.winner = kept.and_then(Outcome::sold).and_then(|sold| hidden(&sold.winner));
        outcome.reason = kept.and_then(|kept| kept.shown_reason(false)).map(str::to_owned);
    }
    Ok(document)
}

impl EventBatch {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The text for one listener that has received the bids up to `after`. May be empty.
    pub fn text(&self, user: StreamUser, after: i64) -> Bytes {
        let texts: Vec<_> = self.events.iter().filter_map(|event| event.text(user, after)).collect();
        let key = texts.iter().map(|text| text.start).collect();
        let mut received = self.received.lock();
        let shared = received.entry(key).or_insert_with(|| {
            let texts = texts.into_iter().filter_map(|text| self.texts.get(text.clone()));
            texts.collect::<Vec<_>>().concat().into()
        });
        shared.clone()
    }
}

impl RenderedEvent {
    /// Where the text for one listener is; none if the event is not for the listener.
    fn text(&self, user: StreamUser, after: i64) -> Option<&Range<usize>> {
        if self.id.is_some_and(|id| id <= after) {
            return None;
        }
        let class = self.audience.class_of(user)?;
        self.texts.iter().find(|(of, _)| *of == class).map(|(_, text)| text)
    }
}

impl Audience {
    /// The classes that listeners can be in.
    fn classes(&self) -> Vec<ViewClass> {
        match self {
            Self::Everybody | Self::Others(_) | Self::FormerViewers(_) => vec![ViewClass::default()],
            Self::Viewers(item) => item.classes(),
        }
    }

    /// The class of a listener; none if the event is not for the listener.
    fn class_of(&self, user: StreamUser) -> Option<ViewClass> {
        match self {
            Self::Everybody => Some(ViewClass::default()),
            Self::Viewers(item) => item.is_visible_to(user).then(|| item.class_of(user)),
            Self::Others(item) => (!item.is_visible_to(user)).then(ViewClass::default),
            Self::FormerViewers(creator) => sees_draft_of(*creator, user).then(ViewClass::default),
        }
    }
}

impl ItemAccess {
    fn of(snapshot: &ItemSnapshot) -> Self {
        Self {
            creator: snapshot.item.creator.id,
            seller: snapshot.item.seller.id,
            is_published: snapshot.item.terms.is_published,
            visibility: snapshot.people.visibility,
            readable_by: snapshot.people.readable_by,
            watchers: HashSet::new(),
            bid: None,
            outcome: None,
            placed_for: None,
        }
    }

    fn is_visible_to(&self, user: StreamUser) -> bool {
        self.is_published || sees_draft_of(self.creator, user)
    }

    fn classes(&self) -> Vec<ViewClass> {
        let mut classes = Vec::new();
        for watches in either_if(!self.watchers.is_empty()) {
            for knows_bidder in either_if(self.bid.is_some()) {
                for knows_winner in either_if(self.outcome.is_some()) {
                    for knows_clerk in either_if(self.placed_for.is_some()) {
                        for is_outsider in either_if(self.readable_by == ReadableBy::Anyone) {
                            let class =
                                ViewClass { watches, knows_bidder, knows_winner, knows_clerk, is_outsider };
                            classes.push(class);
                        }
                    }
                }
            }
        }
        // Without a resale it is one bid, whose bidder a viewer knows or does not.
        let is_one_bid = self.bid.is_some() && self.bid == self.outcome;
        classes.retain(|class| !is_one_bid || class.knows_bidder == class.knows_winner);
        classes
    }

    fn class_of(&self, user: StreamUser) -> ViewClass {
        let is_outsider = user.is_outsider || (user.role.is_none() && self.readable_by == ReadableBy::Anyone);
        let is_seller = self.seller == user.id;
        let viewer = ItemViewer { user: user.id, role: user.role, is_seller, is_outsider };
        let knows = |bid| shows_bidder(self.visibility, viewer, bid);
        ViewClass {
            watches: self.watchers.contains(&user.id),
            knows_bidder: self.bid.is_some_and(knows),
            knows_winner: self.outcome.is_some_and(knows),
            knows_clerk: self.placed_for.is_some_and(|bidder| knows_clerk(user.id, user.role, bidder)),
            is_outsider,
        }
    }
}

/// Whether a viewer sees the drafts of this creator.
fn sees_draft_of(creator: UserId, viewer: StreamUser) -> bool {
    creator == viewer.id || viewer.role.is_some_and(|role| role.may(Action::ManageItems))
}

/// Both values of a flag that differs between viewers, or else `false`.
fn either_if(differs: bool) -> impl Iterator<Item = bool> {
    [false, true].into_iter().take(1 + usize::from(differs))
}

/// One event as text.
pub fn render(kind: &str, id: Option<i64>, data: &impl Serialize) -> Result<Vec<u8>, DbError> {
    sse::event(kind, id, data).map_err(|error| DbError::Corrupt(error.to_string()))
}
