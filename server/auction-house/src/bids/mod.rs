//! Bids. The path of a bid is `routes` → [`entered`] → [`place`] → [`queue`], where it waits as a [`request`]
//! → [`batch`], which reads what the request needs, has its verb judge it on the [`state`](batch::state) of
//! the batch and writes through [`store`]; the answer goes back with the request. A [`withdraw`]al, a
//! [`closing`] and a [`hammer`] take the same path.

pub mod access;
pub mod batch;
pub mod closing;
pub mod document;
pub mod entered;
pub mod evaluate;
pub mod hammer;
pub mod idempotency;
pub mod leads;
pub mod list;
pub mod own;
pub mod place;
pub mod prices;
pub mod pricing;
pub mod probe;
pub mod queue;
pub mod queue_error;
pub mod request;
pub mod routes;
pub mod sealed;
pub mod store;
pub mod tickets;
pub mod validate;
pub mod withdraw;
pub mod withdrawal;
mod written;

use std::sync::Arc;

use rules_engine::money::Normalized;
use rules_engine::{BidForm, ViolationCode};

use crate::bids::sealed::SealedBid;
use crate::bids::withdrawal::Withdrawal;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use accounts::Person;
use platform::time::Moment;

/// Bids of one item, and the order in which they are read.
#[derive(Debug, Clone, Copy)]
pub enum BidSelection {
    /// Below a sequence, newest first.
    Below(i64),
    /// Above a sequence, oldest first.
    Above(i64),
    /// Withdrawn after a number of withdrawals of the item, in the order of the withdrawals.
    WithdrawnAfter(i64),
    /// Withdrawn, up to a sequence, oldest first.
    WithdrawnUpTo(i64),
}

/// The people of a bid whom a viewer may know.
#[derive(Debug, Clone, Copy)]
pub struct KnownPeople {
    pub bidder: bool,
    pub clerk: bool,
}

impl KnownPeople {
    /// Every person of the bid.
    pub const ALL: Self = Self { bidder: true, clerk: true };
}

/// A standing bid as a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingPrice {
    pub sequence: i64,
    pub placed_at: Moment,
    pub normalized: Normalized,
}

impl StandingPrice {
    pub fn of(bid: &Bid) -> Self {
        Self { sequence: bid.sequence, placed_at: bid.created_at, normalized: bid.normalized }
    }
}

/// An accepted bid, as it is in the ledger, standing or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    pub id: BidId,
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// 1, 2, 3 … within the item, without gaps.
    pub sequence: i64,
    /// Its place in the ledger of the auction.
    pub position: i64,
    /// The account may be gone since.
    pub bidder: Person,
    /// Absent in a legacy auction.
    pub currency_profile_id: Option<CurrencyId>,
    /// The entered bid, rounded to the profile's precision. Exactly one member is set.
    pub entered: BidForm,
    pub normalized: Normalized,
    pub is_anonymous: bool,
    /// The item's end in force once this bid was placed.
    pub item_end_date: Option<Moment>,
    pub created_at: Moment,
    pub withdrawn: Option<Withdrawal>,
    /// Set if a clerk has placed it for the bidder.
    pub by_clerk: Option<Box<ByClerk>>,
}

/// A bid of either kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlacedBid {
    /// In the ledger, where everyone sees it.
    Open(Arc<Bid>),
    /// Apart from the ledger until the end: a sealed bid, or tickets.
    Apart(Arc<SealedBid>),
}

impl PlacedBid {
    /// Absent while the bid is sealed; of tickets before the draw their receipt.
    pub fn sequence(&self) -> Option<i64> {
        match self {
            Self::Open(bid) => Some(bid.sequence),
            Self::Apart(bid) => bid.shown_sequence(),
        }
    }

    /// Absent in a legacy auction.
    pub fn currency_profile_id(&self) -> Option<CurrencyId> {
        match self {
            Self::Open(bid) => bid.currency_profile_id,
            Self::Apart(bid) => bid.currency_profile_id,
        }
    }

    /// The bid as it was entered.
    pub fn entered(&self) -> &BidForm {
        match self {
            Self::Open(bid) => &bid.entered,
            Self::Apart(bid) => &bid.entered,
        }
    }

    pub fn bidder(&self) -> &Person {
        match self {
            Self::Open(bid) => &bid.bidder,
            Self::Apart(bid) => &bid.bidder,
        }
    }
}

/// How a clerk has placed a bid for a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByClerk {
    /// The account may be gone since.
    pub clerk: Person,
    /// Rules that the bid broke, and that the clerk has overridden, in the order of their codes.
    pub overridden: Vec<ViolationCode>,
}

impl Bid {
    /// The user who sent it: the bidder or the clerk.
    pub fn sender_id(&self) -> UserId {
        self.by_clerk.as_ref().map_or(self.bidder.id, |by_clerk| by_clerk.clerk.id)
    }
}

impl LeadingBid {
    /// A bid that leads.
    pub fn of(bid: &Bid) -> Self {
        let Bid { sequence, position, normalized, .. } = *bid;
        Self { sequence, position, bidder_id: bid.bidder.id, normalized }
    }
}
