//! Hammering an item: it is sold or passed, and closed with that, in one entry of the bid queue (SPEC,
//! section 15).

mod body;
pub mod routes;

pub use body::HammerBody;

use crate::access::NamedMember;
use crate::bids::access::authorize_clerk;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::entered::EnteredBid;
use crate::bids::evaluate::{Rejection, evaluate, evaluate_overriding};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::queue::BidQueue;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::bids::{Bid, ByClerk};
use crate::codes;
use crate::context::Context;
use crate::creations::Created;
use crate::creations::{self, CallKey};
use crate::ids::BidId;
use crate::items::ItemStatus;
use crate::items::access::{ItemView, view_in_auction};
use crate::items::bidding::BidItem;
use crate::items::outcomes::Closing;
use crate::path::ItemPath;
use accounts::Person;
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not hammered.
    pub enum HammerRefusal {
        OwnItem => codes::OWN_ITEM, "The member sells this item.";
        BookFull => codes::LIMIT_REACHED, "The book of the auction has 10,000 holders, as many as it can have: nobody can join.";
        Draft => codes::ITEM_NOT_OPEN, "The item is a draft: publish it first.";
        NotBegun => codes::ITEM_NOT_OPEN, "Bidding has not begun yet.";
        Closed => codes::CLOSED, "The item is closed already.";
        NoStandingBid => codes::NO_STANDING_BID, "The item has no standing bid that it could be sold for.";
    }
    wraps { Rejected(Rejection), Queue(QueueError) }
}

pub type HammerError = VerbError<HammerRefusal>;

/// What a clerk calls.
#[derive(Debug, Clone)]
pub enum HammerAction {
    Passed,
    /// Sold to the leader at the standing price.
    SoldToLeader,
    /// Sold to a member, at a price that becomes a bid of the member.
    Sold {
        named: NamedMember,
        entered: EnteredBid,
        /// Rules that may be overridden do not count.
        overrides: bool,
    },
}

/// An item to be hammered.
#[derive(Debug, Clone)]
pub struct HammerItem {
    pub item: ItemPath,
    pub clerk: Person,
    /// The error of a request that can't be read is returned once the clerk is authorized.
    pub request: Result<(HammerAction, KeyedRequest), Problem>,
}

impl QueuedRequest for HammerItem {
    /// Whether an earlier request with the same key has hammered the item.
    type Accepted = bool;
    type Error = HammerError;

    fn needs(&self) -> Needs {
        let request = self.request.as_ref().ok();
        let member = request.and_then(|(call, _)| match call {
            HammerAction::Sold { named, .. } => named.key().ok(),
            HammerAction::Passed | HammerAction::SoldToLeader => None,
        });
        Needs {
            item_id: Some(self.item.item_id),
            member,
            clerk_id: Some(self.clerk.id),
            closes: true,
            call: request.map(|(_, keyed)| self.key(keyed)),
            ..Needs::of(self.item.auction_id)
        }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<bool, HammerError> {
        let item = batch.item(self.item)?.ok_or(VerbError::NotFound)?;
        authorize_clerk(item, self.clerk.id, batch.role(self.item.auction_id, self.clerk.id))?;
        let (call, keyed) = self.request.as_ref().map_err(Problem::clone)?;
        if let Some(first) = batch.calls.executed(&self.key(keyed)) {
            return if first == keyed.hash() { Ok(true) } else { Err(VerbError::KeyReused) };
        }
        let member = match call {
            HammerAction::Sold { named, .. } => Some(batch.named(self.item.auction_id, named)?.clone()),
            HammerAction::Passed | HammerAction::SoldToLeader => None,
        };
        check_open(item, now)?;
        let closing = match call {
            HammerAction::Passed => Closing::Passed(self.clerk.id),
            HammerAction::Sold { .. } if item.has_bids_apart() => {
                let message = if item.is_sealed() {
                    "The bids on this item are sealed, and decide who buys it: name nobody."
                } else {
                    "A draw decides who gets this item: name nobody."
                };
                return Err(vec![FieldError::explained("for", message)].into());
            }
            HammerAction::SoldToLeader if !batch.has_standing_bid(item, self.item.item_id) => {
                return Err(HammerRefusal::NoStandingBid.into());
            }
            HammerAction::SoldToLeader => Closing::User(self.clerk.id),
            HammerAction::Sold { entered, overrides, .. } => {
                self.bid(batch, member.ok_or(VerbError::NotFound)?, entered, *overrides, now)?;
                Closing::User(self.clerk.id)
            }
        };
        batch.calls.record(creations::KeyedCall {
            item_id: self.item.item_id,
            request: keyed.clone(),
            at: now,
        });
        batch.close_item(self.item, closing, now)?;
        Ok(false)
    }
}

impl HammerItem {
    fn key(&self, keyed: &KeyedRequest) -> CallKey {
        CallKey { item_id: self.item.item_id, key: keyed.key.clone() }
    }

    /// Places the bid that the item is sold for, unless it is the leading one already.
    fn bid(
        &self,
        batch: &mut BatchState,
        member: Person,
        entered: &EnteredBid,
        overrides: bool,
        now: Moment,
    ) -> Result<(), HammerError> {
        let ItemPath { auction_id, item_id } = self.item;
        let item = batch.item(self.item)?.ok_or(VerbError::NotFound)?;
        if item.seller_id == member.id {
            return Err(HammerRefusal::OwnItem.into());
        }
        if !batch.has_room(item, member.id)? {
            return Err(HammerRefusal::BookFull.into());
        }
        let available = batch.available(item, item_id, member.id)?;
        let (sequence, position) = (item.last_sequence + 1, batch.next_position(auction_id)?);
        let priced = batch.priced_item(self.item)?;
        let currency = priced.choose_currency(entered.currency_profile_id())?;
        let currency_profile_id = priced.profile_id(currency);
        let (item, rules) = priced.rules(currency)?;
        let own = item.leading.filter(|leading| leading.bidder_id == member.id);
        if let (Some(own), Ok((_, normalized))) = (own, rules.normalize(entered.form()))
            && own.normalized == normalized
        {
            return Ok(());
        }
        let (accepted, overridden) = if overrides {
            evaluate_overriding(item, rules, entered, available)?
        } else {
            (evaluate(item, rules, entered, available, now)?, Vec::new())
        };
        let bid = Bid {
            id: BidId::new(now),
            auction_id,
            item_id,
            sequence,
            position,
            bidder: member,
            currency_profile_id,
            entered: accepted.entered,
            normalized: accepted.normalized,
            is_anonymous: false,
            // The item is closed with the bid, which moves no end.
            item_end_date: item.ends_at,
            created_at: now,
            withdrawn: None,
            by_clerk: Some(Box::new(ByClerk { clerk: self.clerk.clone(), overridden })),
        };
        batch.accept(bid, None)?;
        Ok(())
    }
}

fn check_open(item: &BidItem, now: Moment) -> Result<(), HammerRefusal> {
    match item.status(now) {
        ItemStatus::Open => Ok(()),
        ItemStatus::Draft => Err(HammerRefusal::Draft),
        ItemStatus::Scheduled => Err(HammerRefusal::NotBegun),
        ItemStatus::Closed => Err(HammerRefusal::Closed),
    }
}

/// Hammers an item, and returns it. A repeat with the same key returns the item as it is by then.
pub async fn hammer(
    context: &Context,
    queue: &BidQueue,
    hammered: HammerItem,
) -> Result<Created<ItemView>, HammerError> {
    let (ItemPath { auction_id, item_id }, clerk) = (hammered.item, hammered.clerk.id);
    let replayed = queue.submit(hammered).await?;
    let now = context.clock.now();
    let conn = &mut context.db.read().await?;
    let (_, resource) = view_in_auction(conn, auction_id, item_id, clerk, now).await?;
    Ok(Created { resource, replayed })
}
