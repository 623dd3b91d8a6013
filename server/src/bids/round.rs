//! The bids of one transaction: what they are judged against, read at its beginning; what they have made of
//! it, written at its end. In between nothing waits, and nobody else writes.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rules_engine::RuleSet;

use crate::bids::Bid;
use crate::bids::entered::EnteredBid;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::judge::{self, Acceptance, Refusal, Rejection};
use crate::bids::market::{Choice, Market};
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::bids::store::{self, KeptKey, KeyOf};
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::ids::{AuctionId, BidId, ItemId, UserId};
use crate::items::bidding::{AfterBids, BidItem};
use crate::live::store::Happened;
use crate::members::Role;
use crate::{items, live, members};

/// See the module.
pub struct Round {
    roles: HashMap<(AuctionId, UserId), Role>,
    /// Nothing where an item can't be read: that is the trouble of its own bids alone.
    items: HashMap<ItemId, Option<RoundItem>>,
    /// What each key stands for, those of this round with it.
    keys: HashMap<KeyOf, KeptKey>,
    /// The bids that earlier rounds placed with one of these keys.
    replays: HashMap<(ItemId, i64), Bid>,
    /// What this round has accepted, in order.
    accepted: Vec<(Bid, Option<KeyedRequest>)>,
}

/// An item with the bids of this round in it.
struct RoundItem {
    loaded: BidItem,
    market: Arc<Market>,
    /// Compiled when the first bid in that currency comes.
    rules: HashMap<Choice, RuleSet>,
    moved_end: Option<Moment>,
    /// The sequence of its first bid of this round.
    first_sequence: Option<i64>,
    /// When its last bid of this round was placed.
    updated_at: Option<Moment>,
}

impl Round {
    /// Reads all that `bids` need.
    pub async fn read<'a>(
        conn: &mut Connection,
        bids: impl Iterator<Item = &'a PlaceBid> + Clone,
    ) -> Result<Self, DbError> {
        let members: BTreeSet<_> = bids.clone().map(|bid| (bid.auction_id, bid.bidder.id)).collect();
        let roles = members::store::roles(conn, &Vec::from_iter(members)).await?;
        let item_ids: BTreeSet<ItemId> = bids.clone().map(|bid| bid.item_id).collect();
        let items = read_items(conn, &Vec::from_iter(item_ids)).await?;
        let keys: HashSet<KeyOf> = bids.filter_map(key_of).collect();
        let keys = store::find_keys(conn, &Vec::from_iter(keys)).await?;
        let mut replays = HashMap::new();
        for (key, kept) in &keys {
            let Some(Some(item)) = items.get(&key.item_id) else { continue };
            let bid = store::newest(conn, item.loaded.auction_id, key.item_id, kept.sequence + 1, 1).await;
            for bid in readable(bid)?.unwrap_or_default() {
                replays.insert((bid.item_id, bid.sequence), bid);
            }
        }
        Ok(Self { roles, items, keys, replays, accepted: Vec::new() })
    }

    /// Judges the next bid. An accepted one counts for those after it, and is placed with [`Self::write`].
    pub fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Placed, PlaceError> {
        let item = self.items.get(&bid.item_id).ok_or(Refusal::NotFound)?.as_ref();
        let item = &item.ok_or(PlaceError::NotKept)?.loaded;
        if item.auction_id != bid.auction_id {
            return Err(Refusal::NotFound.into());
        }
        let role = self.roles.get(&(bid.auction_id, bid.bidder.id)).copied();
        judge::approach(item, bid.bidder.id, role)?;
        if let Some(placed) = self.replay(bid)? {
            return Ok(Placed { bid: placed, replayed: true });
        }
        let item = self.items.get_mut(&bid.item_id).and_then(Option::as_mut);
        let placed = item.ok_or(PlaceError::NotKept)?.place(bid, now)?;
        if let (Some(key), Some(keyed)) = (key_of(bid), &bid.keyed) {
            let kept = KeptKey { request_hash: keyed.hash().to_owned(), sequence: placed.sequence };
            self.keys.insert(key, kept);
        }
        self.accepted.push((placed.clone(), bid.keyed.clone()));
        Ok(Placed { bid: placed, replayed: false })
    }

    /// The bid that an earlier request with the same key and the same bytes placed.
    fn replay(&self, bid: &PlaceBid) -> Result<Option<Bid>, PlaceError> {
        let kept = key_of(bid).and_then(|key| self.keys.get(&key));
        let (Some(kept), Some(keyed)) = (kept, &bid.keyed) else { return Ok(None) };
        if kept.request_hash != keyed.hash() {
            return Err(PlaceError::KeyReused);
        }
        let placed = |placed: &&Bid| placed.item_id == bid.item_id && placed.sequence == kept.sequence;
        let of_this_round = self.accepted.iter().map(|(placed, _)| placed).find(placed);
        let found = of_this_round.or_else(|| self.replays.get(&(bid.item_id, kept.sequence)));
        found.cloned().map(Some).ok_or_else(|| not_kept(&corrupt("an idempotency key without its bid")))
    }

    /// Writes what was accepted, and what it has made of its items.
    pub async fn write(&self, conn: &mut Connection) -> Result<(), DbError> {
        let bids: Vec<&Bid> = self.accepted.iter().map(|(bid, _)| bid).collect();
        store::insert(conn, &bids).await?;
        let keyed = self.accepted.iter().filter_map(|(bid, keyed)| Some((bid, keyed.as_ref()?)));
        store::insert_keys(conn, &Vec::from_iter(keyed)).await?;
        let changed = self.items.iter().filter_map(|(item_id, item)| item.as_ref()?.after_bids(*item_id));
        items::store::bidding::write(conn, &Vec::from_iter(changed)).await?;
        let Some((newest, _)) = self.accepted.last() else { return Ok(()) };
        let happened = self.items.iter().filter_map(|(item_id, item)| item.as_ref()?.happened(*item_id));
        live::store::record(conn, &Vec::from_iter(happened), newest.created_at).await
    }

    /// The items that this round has placed bids on.
    pub fn touched(&self) -> impl Iterator<Item = (AuctionId, ItemId)> {
        self.accepted.iter().map(|(bid, _)| (bid.auction_id, bid.item_id))
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
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(self.market.compile(choice, &self.loaded)?),
        };
        Ok(judge::judge(&self.loaded, rules, entered, now))
    }

    /// Makes an accepted bid the one that the next is judged against.
    fn keep(&mut self, bid: &Bid) {
        let state = &mut self.loaded;
        if bid.item_end_date != state.ends_at {
            self.moved_end = bid.item_end_date;
        }
        state.ends_at = bid.item_end_date;
        state.last_sequence = bid.sequence;
        self.first_sequence.get_or_insert(bid.sequence);
        state.highest = Some(bid.normalized);
        self.updated_at = Some(bid.created_at);
    }

    fn after_bids(&self, item_id: ItemId) -> Option<AfterBids> {
        Some(AfterBids {
            item_id,
            last_sequence: self.loaded.last_sequence,
            highest: self.loaded.highest?,
            moved_end: self.moved_end,
            updated_at: self.updated_at?,
        })
    }

    fn happened(&self, item_id: ItemId) -> Option<Happened> {
        Some(Happened {
            auction_id: self.loaded.auction_id,
            item_id,
            bids: Some((self.first_sequence?, self.loaded.last_sequence)),
            item_changed: self.moved_end.is_some(),
        })
    }
}

fn key_of(bid: &PlaceBid) -> Option<KeyOf> {
    let key = bid.keyed.as_ref()?.key.clone();
    Some(KeyOf { bidder_id: bid.bidder.id, item_id: bid.item_id, key })
}

/// The items with their markets, each market read once.
async fn read_items(
    conn: &mut Connection,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, Option<RoundItem>>, DbError> {
    let mut markets: HashMap<AuctionId, Option<Arc<Market>>> = HashMap::new();
    let mut items = HashMap::new();
    for (item_id, loaded) in items::store::bidding::read(conn, ids).await? {
        let Some(loaded) = readable(loaded)? else {
            items.insert(item_id, None);
            continue;
        };
        let auction_id = loaded.auction_id;
        let market = match markets.entry(auction_id) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(vacant) => {
                let market = readable(Market::read(conn, auction_id).await)?;
                vacant.insert(market.map(Arc::new)).clone()
            }
        };
        let item = market.map(|market| RoundItem {
            loaded,
            market,
            rules: HashMap::new(),
            moved_end: None,
            first_sequence: None,
            updated_at: None,
        });
        items.insert(item_id, item);
    }
    Ok(items)
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
