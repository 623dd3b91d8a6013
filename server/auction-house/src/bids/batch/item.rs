//! An item with the bids of a batch in it.

use std::collections::{HashMap, hash_map};
use std::sync::Arc;

use rules_engine::RuleSet;
use rules_engine::draw::{self, Drawing, Drawn, Seed, Tickets};
use rules_engine::money::Normalized;
use rules_engine::settle::{self as engine, Win};

use crate::bids::Bid;
use crate::bids::evaluate::Rejection;
use crate::bids::pricing::{ChosenCurrency, PricingRules};
use crate::bids::queue_error::QueueError;
use crate::bids::sealed::SealedBid;
use crate::events::store::{ItemChange, ItemEvent};
use crate::ids::{CurrencyId, ItemId};
use crate::items::bidding::{BidItem, LeadingBid};
use crate::items::format::{Again, PriceKind, Tie};
use crate::items::price::legacy_terms;
use platform::time::Moment;

/// An item, its pricing rules, and what the batch has changed so far.
pub struct ItemState {
    /// Includes the accepted bids of the batch.
    item: BidItem,
    pricing: Arc<PricingRules>,
    /// Compiled when the first bid in that currency comes.
    compiled: HashMap<ChosenCurrency, RuleSet>,
    changes: ItemChanges,
}

/// What a batch has changed about an item.
#[derive(Default)]
struct ItemChanges {
    moved_end: Option<Moment>,
    /// The sequence of its first bid of the batch.
    first_sequence: Option<i64>,
    /// The number of its first withdrawal of the batch.
    first_withdrawal: Option<i64>,
}

impl ItemState {
    /// An item without bids of a batch.
    pub(super) fn new(item: BidItem, pricing: Arc<PricingRules>) -> Self {
        Self { item, pricing, compiled: HashMap::new(), changes: ItemChanges::default() }
    }

    /// The item as it was read again after bids alone, with the rules that it had.
    pub(super) fn renewed(self, item: BidItem) -> Self {
        let Self { pricing, compiled, .. } = self;
        Self { compiled, ..Self::new(item, pricing) }
    }

    /// The item with the accepted bids of the batch.
    pub fn item(&self) -> &BidItem {
        &self.item
    }

    /// The currencies and rules of its auction.
    pub fn pricing(&self) -> &PricingRules {
        &self.pricing
    }

    /// The currency of a bid that names `given`.
    ///
    /// # Errors
    /// The errors of [`PricingRules::choose`].
    pub fn choose_currency(&self, given: Option<&str>) -> Result<ChosenCurrency, Rejection> {
        self.pricing.choose(&self.item, given)
    }

    /// The id of a chosen profile; none in a legacy auction.
    pub fn profile_id(&self, currency: ChosenCurrency) -> Option<CurrencyId> {
        self.pricing.profile_id(currency)
    }

    /// The rules for bids in a chosen currency, beside the item that they are evaluated on.
    ///
    /// # Errors
    /// `NotKept` if they can't be compiled.
    pub fn rules(&mut self, currency: ChosenCurrency) -> Result<(&BidItem, &RuleSet), QueueError> {
        let rules = match self.compiled.entry(currency) {
            hash_map::Entry::Occupied(compiled) => compiled.into_mut(),
            hash_map::Entry::Vacant(vacant) => {
                let compiled = self.pricing.compile(currency, &self.item);
                vacant.insert(compiled.map_err(|error| QueueError::not_kept(&error))?)
            }
        };
        Ok((&self.item, rules))
    }

    /// Makes an accepted bid the one that the next is judged against. Returns the place of the bid before it.
    pub(super) fn accept(&mut self, bid: &Bid) -> Option<i64> {
        let item = &mut self.item;
        if bid.item_end_date != item.ends_at {
            self.changes.moved_end = bid.item_end_date;
        }
        item.ends_at = bid.item_end_date;
        item.last_sequence = bid.sequence;
        self.changes.first_sequence.get_or_insert(bid.sequence);
        item.leading = Some(LeadingBid::of(bid));
        item.last_position.replace(bid.position)
    }

    /// Lets the highest of the opened bids lead, of equal ones the first.
    pub(super) fn lead_best(&mut self, opened: impl Iterator<Item = LeadingBid>) {
        let better =
            |best: LeadingBid, bid: LeadingBid| if bid.normalized > best.normalized { bid } else { best };
        self.item.leading = opened.reduce(better);
    }

    /// Winners of sealed bids, in the order of their copies, and what they pay.
    ///
    /// # Errors
    /// `NotKept` if the rules of a currency can't be compiled, or the item has no seed for a draw.
    pub(super) fn settle(
        &mut self,
        item_id: ItemId,
        bids: &[Arc<SealedBid>],
    ) -> Result<Vec<Win>, QueueError> {
        let Some(terms) = self.item.format.sealed() else { return Ok(Vec::new()) };
        let mut currencies = Vec::with_capacity(bids.len());
        for bid in bids {
            let id = bid.currency_profile_id.map(|id| id.to_string());
            // A bid was accepted in this currency, which stays while bids use it.
            let currency = self.choose_currency(id.as_deref()).map_err(|_| QueueError::NotKept)?;
            self.rules(currency)?;
            currencies.push(currency);
        }
        let rules = |currency: &ChosenCurrency| self.compiled.get(currency).ok_or(QueueError::NotKept);
        let mut entered = Vec::with_capacity(bids.len());
        for (bid, currency) in bids.iter().zip(&currencies) {
            entered.push(engine::SealedBid {
                receipt: bid.receipt.unsigned_abs(),
                normalized: bid.normalized,
                entered: &bid.entered,
                rules: rules(currency)?,
            });
        }
        let (seed, item_id) = (self.seed(), item_id.to_string());
        let tie = match terms.tie {
            Tie::Earliest => engine::Tie::Earliest,
            Tie::Nobody => engine::Tie::Nobody,
            Tie::Roll => {
                let seed = seed.as_ref().ok_or(QueueError::NotKept)?;
                engine::Tie::Roll(Drawing { seed, item_id: &item_id })
            }
        };
        let terms = engine::SealedTerms {
            copies: u32::try_from(terms.copies).unwrap_or(1),
            price: match terms.price {
                PriceKind::Own => engine::PriceRule::Own,
                PriceKind::Next => engine::PriceRule::Next,
                PriceKind::Lowest => engine::PriceRule::Lowest,
            },
            plus: terms.plus,
            tie,
            minimum: self.minimum(),
        };
        Ok(engine::settle(&terms, &entered))
    }

    /// The tickets that win the copies of a draw.
    ///
    /// # Errors
    /// `NotKept` if the item has no seed.
    pub(super) fn draw(&self, item_id: ItemId, bids: &[Arc<SealedBid>]) -> Result<Vec<Drawn>, QueueError> {
        let Some(terms) = self.item.format.draw() else { return Ok(Vec::new()) };
        let (seed, item_id) = (self.seed().ok_or(QueueError::NotKept)?, item_id.to_string());
        let again = match terms.again {
            Again::Person => draw::Again::Person,
            Again::Ticket => draw::Again::Ticket,
        };
        let holders: Vec<String> = bids.iter().map(|bid| bid.bidder.id.to_string()).collect();
        let count = |bid: &SealedBid| bid.tickets.unwrap_or_default().unsigned_abs();
        let tickets: Vec<Tickets<'_>> =
            (holders.iter().zip(bids)).map(|(holder, bid)| Tickets { holder, count: count(bid) }).collect();
        let copies = u32::try_from(terms.copies).unwrap_or(1);
        Ok(draw::draw(Drawing { seed: &seed, item_id: &item_id }, copies, again, &tickets))
    }

    fn seed(&self) -> Option<Seed> {
        self.item.seed.as_ref().and_then(|seed| Seed::parse(seed.as_str()))
    }

    /// The least bid that the item asks for, in base units.
    fn minimum(&self) -> Option<Normalized> {
        match &self.item.legacy {
            Some(legacy) if self.pricing.is_legacy() => legacy_terms(legacy).min_bid_normalized,
            _ => self.item.terms.min_bid_normalized,
        }
    }

    /// Counts a change that raises the version of its row.
    pub(super) fn raise_version(&mut self) {
        self.item.row_version += 1;
    }

    /// Closes the item for the entries after it.
    pub(super) fn close(&mut self, now: Moment) {
        self.item.closed_at = Some(now);
        self.item.row_version += 1;
    }

    /// Withdraws a bid, so that `leading` leads.
    pub(super) fn withdraw(&mut self, leading: Option<LeadingBid>, now: Moment) {
        let item = &mut self.item;
        let ends_at = item.end_after_bid(now);
        if ends_at != item.ends_at {
            self.changes.moved_end = ends_at;
        }
        item.ends_at = ends_at;
        item.leading = leading;
        item.withdrawals += 1;
        // All withdrawals of a batch raise the version of the row once.
        item.row_version += i64::from(self.changes.first_withdrawal.is_none());
        self.changes.first_withdrawal.get_or_insert(item.withdrawals);
    }

    /// The item's new end, if the batch has moved it, and the event of its bids and withdrawals. The next
    /// batch begins without changes.
    pub(super) fn take_changes(&mut self, item_id: ItemId) -> (Option<Moment>, ItemEvent) {
        let ItemChanges { moved_end, first_sequence, first_withdrawal } = std::mem::take(&mut self.changes);
        let withdrawn = first_withdrawal.map(|first| ItemChange::Withdrawn(first, self.item.withdrawals));
        let event = ItemEvent {
            auction_id: self.item.auction_id,
            item_id,
            bids: first_sequence.map(|first| (first, self.item.last_sequence)),
            change: withdrawn.or_else(|| moved_end.map(|_| ItemChange::Edited)),
        };
        (moved_end, event)
    }
}
