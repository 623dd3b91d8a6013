//! Taking back a sealed bid, or all tickets of a draw, before the end: one's own at will, those of a member
//! by a manager who does not see them. The request goes through the bid queue, so that it comes before or
//! after the end.

pub mod routes;

use std::sync::Arc;

use super::SealedBid;
use crate::access::{Action, NamedMember};
use crate::bids::access::sees;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::bids::withdrawal::{WithdrawalReason, WithdrawnBy};
use crate::codes;
use crate::ids::UserId;
use crate::items::ItemStatus;
use crate::path::ItemPath;
use platform::http::problem::Problem;
use platform::refusals;
use platform::shape::{Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a sealed bid is not withdrawn.
    pub enum WithdrawSealedRefusal {
        Closed => codes::CLOSED, "The item is closed: its bids stay.";
        NoStandingBid => codes::NO_STANDING_BID, "There is no such bid to take back.";
        OwnItem => codes::OWN_ITEM, "You sell this item: another manager withdraws a bid on it.";
    }
    wraps { Queue(QueueError) }
}

pub type WithdrawSealedError = VerbError<WithdrawSealedRefusal>;

/// Whose bid is withdrawn, and why. Nothing of it is shown to others.
#[derive(Debug, Clone, Default)]
pub struct SealedWithdrawal {
    named: Option<NamedMember>,
    reason: Option<WithdrawalReason>,
    note: String,
}

impl Shape for SealedWithdrawal {
    const NAME: &'static str = "NewSealedWithdrawal";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .object("for", &mut self.named)
            .about("The member whose bid a manager withdraws; else the own one.");
        members.optional("reason", &mut self.reason).of::<WithdrawalReason>();
        members.text("note", 0..=500, &mut self.note);
    }
}

/// A sealed bid to be withdrawn.
#[derive(Debug, Clone)]
pub struct WithdrawSealed {
    pub item: ItemPath,
    pub user_id: UserId,
    /// The error of a body that can't be read is returned once the user is authorized.
    pub request: Result<SealedWithdrawal, Problem>,
}

/// A bid that was withdrawn; of several the newest.
#[derive(Debug, Clone)]
pub struct WithdrawnSealed {
    pub bid: Arc<SealedBid>,
    pub by: WithdrawnBy,
    pub at: Moment,
    pub reason: WithdrawalReason,
    pub note: Option<String>,
}

impl WithdrawSealed {
    fn named(&self) -> Option<&NamedMember> {
        self.request.as_ref().ok().and_then(|request| request.named.as_ref())
    }
}

impl QueuedRequest for WithdrawSealed {
    type Accepted = WithdrawnSealed;
    type Error = WithdrawSealedError;

    fn needs(&self) -> Needs {
        let named = self.named();
        Needs {
            item_id: Some(self.item.item_id),
            user_id: Some(self.user_id),
            member: named.and_then(|named| named.key().ok()),
            clerk_id: named.map(|_| self.user_id),
            ..Needs::of(self.item.auction_id)
        }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<WithdrawnSealed, WithdrawSealedError> {
        let ItemPath { auction_id, item_id } = self.item;
        let role = batch.role(auction_id, self.user_id);
        let item = batch.item(self.item)?.filter(|item| sees(item, self.user_id, role));
        let item = item.ok_or(VerbError::NotFound)?;
        let is_manager = role.is_some_and(|role| role.may(Action::WithdrawBids));
        if self.named().is_some() && !is_manager {
            return Err(VerbError::Forbidden);
        }
        let SealedWithdrawal { named, reason, note } = self.request.as_ref().map_err(Problem::clone)?;
        let (bidder, by) = match named {
            Some(_) if item.seller_id == self.user_id => return Err(WithdrawSealedRefusal::OwnItem.into()),
            Some(named) => (batch.named(auction_id, named)?.id, WithdrawnBy::Manager),
            None => (self.user_id, WithdrawnBy::Bidder),
        };
        if item.status(now) == ItemStatus::Closed {
            return Err(WithdrawSealedRefusal::Closed.into());
        }
        let bids = batch.bids_apart(item_id, bidder).to_vec();
        for bid in &bids {
            batch.withdraw_apart(bid, self.user_id, now)?;
        }
        let bid = bids.last().map(Arc::clone).ok_or(WithdrawSealedRefusal::NoStandingBid)?;
        let note = Some(note.trim()).filter(|note| !note.is_empty()).map(str::to_owned);
        let reason = reason.unwrap_or(WithdrawalReason::Other);
        Ok(WithdrawnSealed { bid, by, at: now, reason, note })
    }
}
