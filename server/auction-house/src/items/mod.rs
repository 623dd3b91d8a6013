//! Items: the things bid on.

pub mod access;
pub mod assign;
pub mod auction;
pub mod bidding;
pub mod block;
pub mod body;
pub mod calendar;
pub mod copy;
pub mod create;
pub mod create_many;
pub mod delete;
pub mod document;
pub mod ends_soon;
pub mod export;
pub mod format;
pub mod funds;
pub mod images;
pub mod import;
pub mod list;
pub mod lot_numbers;
pub mod notify;
pub mod outcomes;
pub mod own;
pub mod patch;
pub mod price;
pub mod publish;
pub mod routes;
pub mod running_order;
pub mod schedule;
pub mod start;
pub mod store;
pub mod watch;

use std::ops::RangeInclusive;

use accounts::Person;
use iso_currency::Currency as IsoCurrency;
use rules_engine::money::Normalized;
use rules_engine::{BidForm, LotNumber};

use self::format::Format;
use self::outcomes::Outcome;
use crate::auctions::AntiSnipe;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::images::Image;
use platform::text_enum;
use platform::time::Moment;
use platform::token::LinkToken;

/// Items of one auction, at most.
pub const ITEMS_MAX: i64 = 10_000;

/// Characters of an estimate.
pub const ESTIMATE_CHARS: RangeInclusive<usize> = 1..=60;

/// The terms of sale of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemTerms {
    /// 1–200 characters.
    pub name: String,
    /// Plain text or Markdown, at most 10 000 characters.
    pub description: String,
    /// The expected price, in any words.
    pub estimate: Option<String>,
    pub is_published: bool,
    pub starts_at: Option<Moment>,
    /// The item's own end, as it was set or as a late bid moved it.
    pub own_end: Option<Moment>,
    pub price: Price,
    pub format: Format,
    pub anti_snipe: AntiSnipe,
}

/// Price terms of both kinds. Those of the kind that the auction is not are kept and have no effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Price {
    pub legacy: Option<LegacyPrice>,
    pub minimum: Option<EnteredPrice>,
    pub min_increment: Option<Normalized>,
}

/// A price in one ISO 4217 currency. Its amounts have at most the currency's minor-unit digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyPrice {
    pub currency: IsoCurrency,
    pub starting_bid: Option<Normalized>,
    pub min_bid_increment: Option<Normalized>,
}

/// A price as it was entered, and what that comes to in base units: what the first bid must reach, or what a
/// ticket costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnteredPrice {
    pub currency_id: CurrencyId,
    pub entered: BidForm,
    pub normalized: Normalized,
}

/// The thing bid on, with its terms and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub id: ItemId,
    pub auction_id: AuctionId,
    /// Unique in the auction without regard to case.
    pub lot_number: LotNumber,
    /// Whose item it is.
    pub seller: Person,
    /// Who typed it in.
    pub creator: Person,
    pub terms: ItemTerms,
    /// In the order in which they are shown.
    pub images: Vec<Image>,
    /// The end in force: the item's, the auction's, or none.
    pub ends_at: Option<Moment>,
    /// When the item or its auction was closed, whatever the ends are.
    pub closed_at: Option<Moment>,
    /// The sequence of the newest of all its bids, which is how many there ever were; 0 without any.
    pub last_sequence: i64,
    /// How many of them were withdrawn.
    pub withdrawals: i64,
    pub highest_bid: Option<HighestBid>,
    /// The outcome in force, of the first copy.
    pub outcome: Option<Outcome>,
    /// Outcomes in force of the copies from the second on.
    pub further_outcomes: Vec<Outcome>,
    /// How many tickets of a draw stand; none before the first, and of other items.
    pub tickets: Option<i64>,
    /// Chosen where chance may decide: from it a draw follows. Secret until then.
    pub seed: Option<LinkToken>,
    /// Raised by each change, each bid and each withdrawal.
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// The newest standing bid, which is the highest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighestBid {
    pub id: BidId,
    pub sequence: i64,
    pub bidder: Person,
    pub currency_id: Option<CurrencyId>,
    pub entered: BidForm,
    pub normalized: Normalized,
    pub is_anonymous: bool,
}

text_enum! {
    /// The stage of an item.
    pub enum ItemStatus {
        Draft = "DRAFT",
        Scheduled = "SCHEDULED",
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

impl Item {
    /// Whether tickets were drawn. A draw sells the first copy, and nothing else is decided again.
    pub fn was_drawn(&self) -> bool {
        let first = self.outcome.as_ref().filter(|_| self.terms.format.draw().is_some());
        first.is_some_and(|first| first.number > 1 || first.sold().is_some())
    }

    /// Whether its terms stay: while a bid leads, and from the first ticket on.
    pub fn has_fixed_terms(&self) -> bool {
        self.highest_bid.is_some() || self.tickets.is_some()
    }

    /// How many bids stand in the ledger.
    pub fn bid_count(&self) -> i64 {
        self.last_sequence - self.withdrawals
    }

    /// The sequence of its highest standing bid.
    pub fn leading_sequence(&self) -> Option<i64> {
        self.highest_bid.as_ref().map(|highest| highest.sequence)
    }

    pub fn status(&self, now: Moment) -> ItemStatus {
        status(self.closed_at, self.ends_at, self.terms.is_published, self.terms.starts_at, now)
    }

    /// The outcomes in force, one for each copy.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.outcome.iter().chain(&self.further_outcomes)
    }

    /// The outcome in force of a copy.
    pub fn outcome_of(&self, copy: i64) -> Option<&Outcome> {
        self.outcomes().find(|outcome| outcome.copy == copy)
    }

    /// Whether the item, or a copy of it, is sold for this bid. Until the outcome of an ended item is
    /// written, it is for the highest.
    pub fn is_won_by(&self, sequence: i64, now: Moment) -> bool {
        if self.outcome.is_some() {
            return self.outcomes().filter_map(Outcome::sold).any(|sold| sold.sequence == Some(sequence));
        }
        self.leading_sequence() == Some(sequence) && self.status(now) == ItemStatus::Closed
    }

    /// Whether the item, or a copy of it, is sold to the user.
    pub fn is_sold_to(&self, user: UserId) -> bool {
        self.outcomes().filter_map(Outcome::sold).any(|sold| sold.winner.id == user)
    }
}

/// The clock decides: an item is open from its start until just before its end. A draft stays one.
fn status(
    closed_at: Option<Moment>,
    ends_at: Option<Moment>,
    is_published: bool,
    starts_at: Option<Moment>,
    now: Moment,
) -> ItemStatus {
    if closed_at.is_some() || ends_at.is_some_and(|end| now >= end) {
        ItemStatus::Closed
    } else if !is_published {
        ItemStatus::Draft
    } else if starts_at.is_some_and(|start| now < start) {
        ItemStatus::Scheduled
    } else {
        ItemStatus::Open
    }
}
