//! An item with the bids of a round in it.

use std::collections::{HashMap, hash_map};
use std::sync::Arc;

use rules_engine::RuleSet;

use crate::bids::Bid;
use crate::bids::entered::EnteredBid;
use crate::bids::judge::{self, Acceptance, Refusal, Rejection};
use crate::bids::market::{Choice, Market};
use crate::bids::place::{PlaceBid, PlaceError};
use crate::events::store::Happened;
use crate::ids::{BidId, ItemId};
use crate::items::bidding::BidItem;
use platform::db::DbError;
use platform::time::Moment;

/// See the module.
pub struct RoundItem {
    /// With what the bids of the round have made of it.
    pub(super) loaded: BidItem,
    market: Arc<Market>,
    /// Compiled when the first bid in that currency comes.
    rules: HashMap<Choice, RuleSet>,
    made: Made,
}

/// What a round has made of an item.
#[derive(Default)]
struct Made {
    moved_end: Option<Moment>,
    /// The sequence of its first bid of the round.
    first_sequence: Option<i64>,
}

impl RoundItem {
    /// An item as it stands, without bids of a round.
    pub(super) fn new(loaded: BidItem, market: Arc<Market>) -> Self {
        Self { loaded, market, rules: HashMap::new(), made: Made::default() }
    }

    /// Judges the next bid. An accepted one counts for those after it.
    pub(super) fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Bid, PlaceError> {
        judge::admit(&self.loaded, now)?;
        let choice = self.market.choose(bid.entered.currency_profile_id());
        let choice = choice.map_err(Refusal::Rejected)?;
        let verdict = self.judge(choice, &bid.entered, now).map_err(|error| PlaceError::not_kept(&error))?;
        let accepted = verdict.map_err(Refusal::Rejected)?;
        let bid = Bid {
            id: BidId::new(now).map_err(|error| PlaceError::not_kept(&error))?,
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
    }

    /// The end to which bids of the round have moved the item's, if they have, and what there is to tell of the item;
    /// the next round begins with nothing.
    pub(super) fn take_made(&mut self, item_id: ItemId) -> Option<(Option<Moment>, Happened)> {
        let Made { moved_end, first_sequence } = std::mem::take(&mut self.made);
        let happened = Happened {
            auction_id: self.loaded.auction_id,
            item_id,
            bids: Some((first_sequence?, self.loaded.last_sequence)),
            item_changed: moved_end.is_some(),
        };
        Some((moved_end, happened))
    }
}
