//! Placing a bid. The JSON API, the page's form and the demo all submit a [`PlaceBid`] to the queue.

use crate::access::{NamedMember, Standing};
use crate::auctions::people::PeopleShown;
use crate::bids::access::{authorize_clerk, sees};
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::entered::EnteredBid;
use crate::bids::evaluate::{Rejection, evaluate};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::bids::sealed::SealedBid;
use crate::bids::store::ScopedKey;
use crate::bids::tickets;
use crate::bids::{Bid, ByClerk, PlacedBid};
use crate::codes;
use crate::ids::{BidId, UserId};
use crate::items::ItemStatus;
use crate::items::bidding::BidItem;
use crate::path::ItemPath;
use accounts::Person;
use platform::http::problem::Problem;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a bid is not accepted.
    pub enum BidRefusal {
        Managed => codes::MANAGED_USER, "You are no member of this auction: the keeper of your group makes you one.";
        Removed => codes::FORBIDDEN, "You were removed from this auction: only an invitation brings you back.";
        OwnItem => codes::OWN_ITEM;
        /// The bidder would become a holder of the auction's book by the bid.
        BookFull => codes::LIMIT_REACHED, "The book of the auction has 10,000 holders, as many as it can have: nobody can join.";
        NoBook => codes::ITEM_NOT_OPEN, "Tickets are paid from a book, and the auction has none.";
        TooManyTickets => codes::LIMIT_REACHED, "One person can't have so many tickets for this item.";
        Draft => codes::ITEM_NOT_OPEN, "The item is a draft: it takes bids once it is published.";
        NotBegun => codes::ITEM_NOT_OPEN, "Bidding has not begun yet.";
        Ended => codes::ITEM_NOT_OPEN, "Bidding has ended.";
    }
    wraps { Rejected(Rejection), Queue(QueueError) }
}

pub type BidError = VerbError<BidRefusal>;

/// A bid to be placed.
#[derive(Debug, Clone)]
pub struct PlaceBid {
    pub item: ItemPath,
    /// The bidder, or the clerk who bids for a member. The name is used only in the response.
    pub sender: Person,
    /// A bid in a FREE auction may make the sender a member. Not that of a managed user.
    pub may_join: bool,
    /// The error of a request that can't be read is returned once the sender is authorized: a user who may
    /// not see the item is not told what is wrong with the request.
    pub request: Result<BidRequest, Problem>,
}

/// The request for a bid, read.
#[derive(Debug, Clone)]
pub struct BidRequest {
    pub entered: EnteredBid,
    /// The member for whom a clerk bids.
    pub named: Option<NamedMember>,
    /// With a key a repeat gets the first answer, and places no second bid.
    pub keyed: Option<KeyedRequest>,
}

/// A committed bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub bid: PlacedBid,
    /// The bidder and the clerk.
    pub people: PeopleShown,
    /// It was placed by an earlier request with the same key.
    pub replayed: bool,
}

impl QueuedRequest for PlaceBid {
    type Accepted = Placed;
    type Error = BidError;

    fn needs(&self) -> Needs {
        let request = self.request.as_ref().ok();
        let keyed = request.and_then(|request| request.keyed.as_ref());
        let named = request.and_then(|request| request.named.as_ref());
        Needs {
            item_id: Some(self.item.item_id),
            user_id: Some(self.sender.id),
            member: named.and_then(|named| named.key().ok()),
            clerk_id: named.map(|_| self.sender.id),
            key: keyed.map(|keyed| self.scoped(keyed)),
            ..Needs::of(self.item.auction_id)
        }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<Placed, BidError> {
        let (ItemPath { auction_id, item_id }, sender) = (self.item, &self.sender);
        let item = batch.item(self.item)?.ok_or(VerbError::NotFound)?;
        match &self.request {
            Ok(BidRequest { named: Some(_), .. }) => {
                authorize_clerk(item, sender.id, batch.role(auction_id, sender.id))?;
            }
            _ => authorize(item, sender.id, batch.standing(auction_id, sender.id), self.may_join)?,
        }
        let BidRequest { entered, named, keyed } = self.request.as_ref().map_err(Problem::clone)?;
        if let Some(keyed) = keyed
            && let Some(first) = batch.keyed_bid(&self.scoped(keyed))
        {
            if first.request_hash != keyed.hash() {
                return Err(VerbError::KeyReused);
            }
            let bid = first.bid()?;
            let people = batch.people(item, [bid.bidder().id, sender.id]);
            return Ok(Placed { bid, people, replayed: true });
        }
        let member = named.as_ref().map(|named| batch.named(auction_id, named).cloned()).transpose()?;
        let bidder = member.as_ref().unwrap_or(sender);
        if item.seller_id == bidder.id {
            return Err(BidRefusal::OwnItem.into());
        }
        let people = batch.people(item, [bidder.id, sender.id]);
        let available = batch.available(item, item_id, bidder.id)?;
        if !batch.has_room(item, bidder.id)? {
            return Err(BidRefusal::BookFull.into());
        }
        check_open(item, now)?;
        let draw = item.format.draw().cloned();
        let is_apart = item.has_bids_apart();
        let (sequence, position) = (item.last_sequence + 1, batch.next_position(auction_id)?);
        let receipt = batch.next_receipt(item_id);
        let held = tickets::held(batch.bids_apart(item_id, bidder.id).iter().map(|bid| &**bid));
        let priced = batch.priced_item(self.item)?;
        let (accepted, currency_profile_id, tickets) = match &draw {
            Some(terms) => {
                let (item, pricing) = (priced.item(), priced.pricing());
                let bid = tickets::evaluate(item, terms, pricing, entered, held, available)?;
                (bid.accepted, Some(bid.currency_id), Some(bid.tickets))
            }
            None => {
                tickets::refuse(entered)?;
                let currency = priced.choose_currency(entered.currency_profile_id())?;
                let (item, rules) = priced.rules(currency)?;
                (evaluate(item, rules, entered, available, now)?, priced.profile_id(currency), None)
            }
        };
        let clerk = named.is_some().then(|| sender.clone());
        let bid = if is_apart {
            let bid = SealedBid {
                id: BidId::new(now),
                auction_id,
                item_id,
                receipt,
                bidder: bidder.clone(),
                currency_profile_id,
                entered: accepted.entered,
                normalized: accepted.normalized,
                is_anonymous: entered.is_anonymous(),
                created_at: now,
                tickets,
                clerk,
            };
            PlacedBid::Apart(batch.accept_apart(bid, keyed.clone())?)
        } else {
            let bid = Bid {
                id: BidId::new(now),
                auction_id,
                item_id,
                sequence,
                position,
                bidder: bidder.clone(),
                currency_profile_id,
                entered: accepted.entered,
                normalized: accepted.normalized,
                is_anonymous: entered.is_anonymous(),
                item_end_date: accepted.ends_at,
                created_at: now,
                withdrawn: None,
                by_clerk: clerk.map(|clerk| Box::new(ByClerk { clerk, overridden: Vec::new() })),
            };
            PlacedBid::Open(batch.accept(bid, keyed.clone())?)
        };
        Ok(Placed { bid, people, replayed: false })
    }
}

impl PlaceBid {
    fn scoped(&self, keyed: &KeyedRequest) -> ScopedKey {
        ScopedKey { user_id: self.sender.id, item_id: self.item.item_id, key: keyed.key.clone() }
    }
}

/// Whether a user may bid on the item while it is open: a member, or in a FREE auction anyone who was not
/// removed, but never its seller. An item that the user may not see is `NotFound`.
///
/// # Errors
/// `NotFound`, `Removed`, `Managed` or `OwnItem`.
pub fn authorize(
    item: &BidItem,
    bidder_id: UserId,
    standing: Standing,
    may_join: bool,
) -> Result<(), BidError> {
    if !sees(item, bidder_id, standing.role()) {
        Err(VerbError::NotFound)
    } else if standing == Standing::Removed {
        Err(BidRefusal::Removed.into())
    } else if standing == Standing::Other && !may_join {
        Err(BidRefusal::Managed.into())
    } else if item.seller_id == bidder_id {
        Err(BidRefusal::OwnItem.into())
    } else {
        Ok(())
    }
}

/// Whether the item takes bids now.
///
/// # Errors
/// `Draft`, `NotBegun` or `Ended`.
pub fn check_open(item: &BidItem, now: Moment) -> Result<(), BidRefusal> {
    match item.status(now) {
        ItemStatus::Open => Ok(()),
        ItemStatus::Draft => Err(BidRefusal::Draft),
        ItemStatus::Scheduled => Err(BidRefusal::NotBegun),
        ItemStatus::Closed => Err(BidRefusal::Ended),
    }
}
