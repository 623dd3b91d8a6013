//! The bids of one transaction: what they are judged against, read at its beginning; what they have made of
//! it, written at its end. In between nothing waits, and nobody else writes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, hash_map};
use std::sync::Arc;

use rules_engine::RuleSet;

use crate::auctions::access::SeenAuction;
use crate::auctions::close::{CloseAuction, CloseError};
use crate::bids::Bid;
use crate::bids::entered::EnteredBid;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::judge::{self, Acceptance, Refusal, Rejection};
use crate::bids::market::{Choice, Market};
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::bids::queue::Entry;
use crate::bids::store::{self, KeptKey, KeyOf};
use crate::clock::Moment;
use crate::db::{Connection, DbError, Held, Hold, Holds, Rows, Script, Stand};
use crate::ids::{AuctionId, BidId, ItemId, UserId};
use crate::items::bidding::{AfterBids, BidItem};
use crate::live::store::Happened;
use crate::members::Role;
use crate::{auctions, items, live, members};

/// Items and roles that are worth knowing from one round to the next, at most.
const KNOWN_MAX: usize = 20_000;

/// What a round knows of the database, and leaves to the next one: nothing is read twice while nobody else
/// changes it.
#[derive(Default)]
pub struct Known {
    /// How the database stood when it was read, where that can be said of all of it.
    stand: Option<Stand>,
    /// Otherwise how often each auction had been changed. An item says so itself.
    revisions: HashMap<AuctionId, i64>,
    /// Nothing where somebody is no member.
    roles: HashMap<(AuctionId, UserId), Option<Role>>,
    /// Nothing where an item can't be read: that is the trouble of its own bids alone.
    items: HashMap<ItemId, Option<RoundItem>>,
    markets: HashMap<AuctionId, Option<Arc<Market>>>,
}

/// See the module.
pub struct Round {
    known: Known,
    /// What each key stands for, those of this round with it.
    keys: HashMap<KeyOf, KeptKey>,
    /// The bids that earlier rounds placed with one of these keys.
    replays: HashMap<(ItemId, i64), Arc<Bid>>,
    /// What this round has accepted, in order.
    accepted: Vec<(Arc<Bid>, Option<KeyedRequest>)>,
    /// Auctions that somebody wants to close, as each of them sees it.
    to_close: HashMap<(AuctionId, UserId), (SeenAuction, Vec<ItemId>)>,
    /// Auctions that this round has closed, with the items that are closed with them.
    closed: BTreeMap<AuctionId, (Moment, Vec<ItemId>)>,
    touched: Vec<(AuctionId, ItemId)>,
}

/// An item with the bids of this round in it.
struct RoundItem {
    loaded: BidItem,
    market: Arc<Market>,
    /// Compiled when the first bid in that currency comes.
    rules: HashMap<Choice, RuleSet>,
    made: Made,
}

/// What this round has made of an item.
#[derive(Default)]
struct Made {
    moved_end: Option<Moment>,
    /// The sequence of its first bid of this round.
    first_sequence: Option<i64>,
    /// When its last bid of this round was placed.
    updated_at: Option<Moment>,
}

impl Round {
    /// Reads all that `batch` needs and is not known yet.
    pub async fn read(
        conn: &mut Connection,
        mut known: Known,
        batch: &[Entry],
        now: Moment,
    ) -> Result<Self, DbError> {
        let bids = batch.iter().filter_map(|entry| match entry {
            Entry::Bid(waiting) => Some(&waiting.asked),
            Entry::Close(_) => None,
        });
        known.learn(conn, bids.clone()).await?;
        let keys: HashSet<KeyOf> = bids.filter_map(key_of).collect();
        let keys = store::find_keys(conn, &Vec::from_iter(keys)).await?;
        let mut replays = HashMap::new();
        for (key, kept) in &keys {
            let Some(Some(item)) = known.items.get(&key.item_id) else { continue };
            let bid = store::newest(conn, item.loaded.auction_id, key.item_id, kept.sequence + 1, 1).await;
            for bid in readable(bid)?.unwrap_or_default() {
                replays.insert((bid.item_id, bid.sequence), Arc::new(bid));
            }
        }
        let mut to_close = HashMap::new();
        for entry in batch {
            let Entry::Close(waiting) = entry else { continue };
            let CloseAuction { auction_id, user_id, .. } = waiting.asked;
            if let Some(seen) = auctions::store::find(conn, auction_id, user_id, now).await? {
                let items = items::store::bidding::not_closed(conn, auction_id).await?;
                to_close.insert((auction_id, user_id), (seen, items));
            }
        }
        Ok(Self {
            known,
            keys,
            replays,
            accepted: Vec::new(),
            to_close,
            closed: BTreeMap::new(),
            touched: Vec::new(),
        })
    }

    /// A bid that is in the ledger if the round is committed.
    pub fn first_accepted(&self) -> Option<&Bid> {
        self.accepted.first().map(|(bid, _)| &**bid)
    }

    /// What is known once the round is committed.
    pub fn into_known(self) -> Known {
        self.known
    }

    /// Closes an auction with its items. It is closed for what is judged after it, and written with
    /// [`Self::script`].
    pub fn close(&mut self, close: &CloseAuction, now: Moment) -> Result<SeenAuction, CloseError> {
        let seen = self.to_close.get(&(close.auction_id, close.user_id));
        let (mut seen, open) =
            seen.filter(|(seen, _)| seen.is_visible()).cloned().ok_or(CloseError::NotFound)?;
        if !seen.manages() {
            return Err(CloseError::Forbidden);
        }
        if self.closed.contains_key(&close.auction_id) {
            return Err(CloseError::Closed);
        }
        close.if_match.check(seen.auction.version)?;
        if seen.auction.is_closed(now) {
            return Err(CloseError::Closed);
        }
        let items = self.known.items.values_mut().flatten();
        for item in items.filter(|item| item.loaded.auction_id == close.auction_id) {
            item.loaded.closed_at.get_or_insert(now);
        }
        self.closed.insert(close.auction_id, (now, open));
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(seen)
    }

    /// Judges the next bid. An accepted one counts for those after it, and is placed with [`Self::script`].
    pub fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Placed, PlaceError> {
        let item = self.known.items.get(&bid.item_id).ok_or(Refusal::NotFound)?.as_ref();
        let item = &item.ok_or(PlaceError::NotKept)?.loaded;
        if item.auction_id != bid.auction_id {
            return Err(Refusal::NotFound.into());
        }
        let role = self.known.roles.get(&(bid.auction_id, bid.bidder.id)).copied().flatten();
        judge::approach(item, bid.bidder.id, role)?;
        if let Some(placed) = self.replay(bid)? {
            return Ok(Placed { bid: placed, replayed: true });
        }
        let item = self.known.items.get_mut(&bid.item_id).and_then(Option::as_mut);
        let placed = Arc::new(item.ok_or(PlaceError::NotKept)?.place(bid, now)?);
        if let (Some(key), Some(keyed)) = (key_of(bid), &bid.keyed) {
            let kept = KeptKey { request_hash: keyed.hash().to_owned(), sequence: placed.sequence };
            self.keys.insert(key, kept);
        }
        self.accepted.push((Arc::clone(&placed), bid.keyed.clone()));
        Ok(Placed { bid: placed, replayed: false })
    }

    /// The bid that an earlier request with the same key and the same bytes placed.
    fn replay(&self, bid: &PlaceBid) -> Result<Option<Arc<Bid>>, PlaceError> {
        let kept = key_of(bid).and_then(|key| self.keys.get(&key));
        let (Some(kept), Some(keyed)) = (kept, &bid.keyed) else { return Ok(None) };
        if kept.request_hash != keyed.hash() {
            return Err(PlaceError::KeyReused);
        }
        let placed = |placed: &&Arc<Bid>| placed.item_id == bid.item_id && placed.sequence == kept.sequence;
        let of_this_round = self.accepted.iter().map(|(placed, _)| placed).find(placed);
        let found = of_this_round.or_else(|| self.replays.get(&(bid.item_id, kept.sequence)));
        found.cloned().map(Some).ok_or_else(|| not_kept(&corrupt("an idempotency key without its bid")))
    }

    /// What is to be written: what was accepted, what it has made of its items, what was closed, and what there is
    /// to tell of it.
    pub fn script(&mut self, now: Moment) -> Result<Script, DbError> {
        let mut script = Script::default();
        store::insert(&mut script, self.accepted.iter().map(|(bid, _)| &**bid))?;
        let keyed = self.accepted.iter().filter_map(|(bid, keyed)| Some((&**bid, keyed.as_ref()?)));
        store::insert_keys(&mut script, keyed);
        let touched: BTreeSet<ItemId> = self.accepted.iter().map(|(bid, _)| bid.item_id).collect();
        let items = &mut self.known.items;
        let made = touched.into_iter().filter_map(|id| items.get_mut(&id)?.as_mut()?.take_made(id));
        let (changed, mut happened): (Vec<AfterBids>, Vec<Happened>) = made.unzip();
        items::store::bidding::write(&mut script, &changed);
        if !self.closed.is_empty() {
            script.then();
        }
        for (auction_id, (now, items)) in &self.closed {
            auctions::store::close(&mut script, *auction_id, *now);
            items::store::bidding::close(&mut script, items, *now);
            happened.extend(items.iter().map(|item_id| Happened::changed(*auction_id, *item_id)));
        }
        self.touched = happened.iter().map(|one| (one.auction_id, one.item_id)).collect();
        live::store::record(&mut script, &happened, now)?;
        Ok(script)
    }

    /// The items that were written.
    pub fn touched(&self) -> impl Iterator<Item = (AuctionId, ItemId)> {
        self.touched.iter().copied()
    }
}

impl Known {
    /// How that stands which a batch has to hold, where all of it is known. Bids share it.
    pub fn believed(&self, holds: &Holds) -> Option<Held> {
        if let Some(stand) = self.stand {
            return Some(Held::All(stand));
        }
        if holds.hold == Hold::Alone {
            return None;
        }
        let auctions = holds.auctions.iter().map(|id| Some((*id, *self.revisions.get(id)?)));
        let items = holds.items.iter().map(|id| Some((*id, self.items.get(id)?.as_ref()?.loaded.version)));
        Some(Held::Rows(Rows {
            auctions: auctions.collect::<Option<_>>()?,
            items: items.collect::<Option<_>>()?,
        }))
    }

    /// Forgets what is held now and has changed since it was read, and everything where it has become too much.
    pub fn forget_changed(&mut self, holds: &Holds, held: &Held) {
        if self.roles.len() + self.items.len() > KNOWN_MAX {
            *self = Self::default();
        }
        match held {
            Held::All(stand) if self.stand == Some(*stand) => {}
            Held::All(stand) => *self = Self { stand: Some(*stand), ..Self::default() },
            Held::Rows(Rows { auctions, items }) => {
                for id in &holds.auctions {
                    self.stand_at(*id, auctions.get(id).copied());
                }
                for id in &holds.items {
                    let known = self.items.get(id).and_then(Option::as_ref).map(|item| item.loaded.version);
                    if known != items.get(id).copied() {
                        self.items.remove(id);
                    }
                }
            }
        }
    }

    /// Forgets an auction, unless it has been changed just so often.
    fn stand_at(&mut self, auction: AuctionId, revision: Option<i64>) {
        if revision.is_some() && self.revisions.get(&auction).copied() == revision {
            return;
        }
        self.roles.retain(|(of, _), _| *of != auction);
        self.items.retain(|_, item| item.as_ref().is_some_and(|item| item.loaded.auction_id != auction));
        self.markets.remove(&auction);
        self.revisions.remove(&auction);
        self.revisions.extend(revision.map(|revision| (auction, revision)));
    }

    /// Reads what `bids` need beyond this.
    async fn learn<'a>(
        &mut self,
        conn: &mut Connection,
        bids: impl Iterator<Item = &'a PlaceBid> + Clone,
    ) -> Result<(), DbError> {
        let members = bids.clone().map(|bid| (bid.auction_id, bid.bidder.id));
        let members: BTreeSet<_> = members.filter(|member| !self.roles.contains_key(member)).collect();
        let members = Vec::from_iter(members);
        let found = members::store::roles(conn, &members).await?;
        self.roles.extend(members.into_iter().map(|member| (member, found.get(&member).copied())));
        let ids = bids.map(|bid| bid.item_id).filter(|id| !self.items.contains_key(id));
        let ids = Vec::from_iter(ids.collect::<BTreeSet<_>>());
        for (item_id, loaded) in items::store::bidding::read(conn, &ids).await? {
            let item = match readable(loaded)? {
                Some(loaded) => self.market(conn, loaded.auction_id).await?.map(|market| RoundItem {
                    loaded,
                    market,
                    rules: HashMap::new(),
                    made: Made::default(),
                }),
                None => None,
            };
            self.items.insert(item_id, item);
        }
        Ok(())
    }

    async fn market(
        &mut self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Option<Arc<Market>>, DbError> {
        if let Some(known) = self.markets.get(&auction_id) {
            return Ok(known.clone());
        }
        let market = readable(Market::read(conn, auction_id).await)?.map(Arc::new);
        self.markets.insert(auction_id, market.clone());
        Ok(market)
    }
}

impl RoundItem {
    fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Bid, PlaceError> {
        judge::admit(&self.loaded, now)?;
        let choice = self.market.choose(bid.entered.currency_profile_id());
        let choice = choice.map_err(Refusal::Rejected)?;
        let verdict = self.judge(choice, &bid.entered, now).map_err(|error| not_kept(&error))?;
        let accepted = verdict.map_err(Refusal::Rejected)?;
        let bid = Bid {
            id: BidId::new(now).map_err(|error| not_kept(&error))?,
            auction_id: bid.auction_id,
            item_id: bid.item_id,
            sequence: self.loaded.last_sequence + 1,
            bidder: bid.bidder.clone(),
            currency_profile_id: self.market.profile_id(choice),
            entered: accepted.entered,
            normalized: accepted.normalized,
            is_anonymous: bid.entered.is_anonymous(),
            item_end_date: accepted.ends_at,
            created_at: now,
        };
        self.keep(&bid);
        Ok(bid)
    }

    fn judge(
        &mut self,
        choice: Choice,
        entered: &EnteredBid,
        now: Moment,
    ) -> Result<Result<Acceptance, Rejection>, DbError> {
        let rules = match self.rules.entry(choice) {
            hash_map::Entry::Occupied(known) => known.into_mut(),
            hash_map::Entry::Vacant(vacant) => vacant.insert(self.market.compile(choice, &self.loaded)?),
        };
        Ok(judge::judge(&self.loaded, rules, entered, now))
    }

    /// Makes an accepted bid the one that the next is judged against.
    fn keep(&mut self, bid: &Bid) {
        let state = &mut self.loaded;
        if bid.item_end_date != state.ends_at {
            self.made.moved_end = bid.item_end_date;
        }
        state.ends_at = bid.item_end_date;
        state.last_sequence = bid.sequence;
        self.made.first_sequence.get_or_insert(bid.sequence);
        state.highest = Some(bid.normalized);
        self.made.updated_at = Some(bid.created_at);
    }

    /// What this round has made of the item, and what there is to tell of it; the next begins with nothing.
    fn take_made(&mut self, item_id: ItemId) -> Option<(AfterBids, Happened)> {
        let Made { moved_end, first_sequence, updated_at } = std::mem::take(&mut self.made);
        let last_sequence = self.loaded.last_sequence;
        self.loaded.version += 1;
        let after = AfterBids {
            item_id,
            last_sequence,
            highest: self.loaded.highest?,
            moved_end,
            updated_at: updated_at?,
        };
        let happened = Happened {
            auction_id: self.loaded.auction_id,
            item_id,
            bids: Some((first_sequence?, last_sequence)),
            item_changed: moved_end.is_some(),
        };
        Some((after, happened))
    }
}

fn key_of(bid: &PlaceBid) -> Option<KeyOf> {
    let key = bid.keyed.as_ref()?.key.clone();
    Some(KeyOf { bidder_id: bid.bidder.id, item_id: bid.item_id, key })
}

/// What was read, or nothing where the database holds what can't be; the log says so.
fn readable<T>(read: Result<T, DbError>) -> Result<Option<T>, DbError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error @ DbError::Corrupt(_)) => {
            tracing::error!(error = &error as &dyn std::error::Error, "an item takes no bids");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn corrupt(what: &str) -> DbError {
    DbError::Corrupt(what.to_owned())
}

fn not_kept(error: &(dyn std::error::Error + 'static)) -> PlaceError {
    tracing::error!(error, "a bid could not be judged");
    PlaceError::NotKept
}
