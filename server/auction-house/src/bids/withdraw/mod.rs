//! Withdrawing a bid (SPEC, section 6). The request goes through the bid queue, so that it comes before or
//! after each bid. Nothing is deleted: the bid stays in the ledger, and the highest standing bid leads.

mod body;
mod judge;
pub mod routes;

use std::sync::Arc;

use rules_engine::money::Normalized;

pub use body::{Explanation, WithdrawalBody};
use judge::{AskAnotherManager, WithdrawError, WithdrawRefusal, authorize, check};

use crate::access::{self, Action};
use crate::auctions;
use crate::auctions::people::PeopleShown;
use crate::bids::access::find_item;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue::BidQueue;
use crate::bids::request::QueuedRequest;
use crate::bids::withdrawal::{Withdrawal, WithdrawnBy};
use crate::bids::{Bid, store};
use crate::context::Context;
use crate::ids::UserId;
use crate::items::ItemStatus;
use crate::items::bidding::BidItem;
use crate::items::funds::Overcommitted;
use crate::path::BidPath;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::time::Moment;
use platform::verb::VerbError;

/// A bid to be withdrawn.
#[derive(Debug, Clone)]
pub struct WithdrawBid {
    pub bid: BidPath,
    pub user_id: UserId,
    /// The names of the other managers of the auction, if the user sells the item.
    pub others: Vec<String>,
    /// The error of a body that can't be read is returned once the user is authorized.
    pub explanation: Result<Explanation, Problem>,
}

/// A withdrawn bid, as the queue answers.
#[derive(Debug, Clone)]
pub struct WithdrawOutcome {
    pub bid: Arc<Bid>,
    /// How many tickets of a draw it was for.
    pub tickets: Option<i64>,
    /// The bidder who leads now, and how much they have available, if they have committed more than they
    /// have.
    pub overcommitted: Option<(UserId, Normalized)>,
}

/// A withdrawn bid, and who has committed more than they have since.
#[derive(Debug, Clone)]
pub struct WithdrawResponse {
    pub bid: Arc<Bid>,
    /// How many tickets of a draw it was for.
    pub tickets: Option<i64>,
    pub people: PeopleShown,
    pub overcommitted: Option<Overcommitted>,
}

impl QueuedRequest for WithdrawBid {
    type Accepted = WithdrawOutcome;
    type Error = WithdrawError;

    fn needs(&self) -> Needs {
        Needs {
            item_id: Some(self.bid.item_id),
            user_id: Some(self.user_id),
            withdraws: Some(self.bid.sequence),
            ..Needs::of(self.bid.auction_id)
        }
    }

    /// A bid that was withdrawn before is returned as it was.
    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<WithdrawOutcome, WithdrawError> {
        let (path, user_id) = (self.bid, self.user_id);
        let role = batch.role(path.auction_id, user_id);
        let item = batch.item(path.item())?.ok_or(VerbError::NotFound)?;
        if item.format.draw().is_some() && item.has_bids_apart() {
            return self.judge_tickets(batch, now);
        }
        let bid = Arc::clone(batch.bid(path).ok_or(VerbError::NotFound)?);
        let by = authorize(item, user_id, role, bid.bidder.id, &self.others)?;
        let Explanation { reason, note } = self.explanation.as_ref().map_err(Problem::clone)?;
        if bid.withdrawn.is_some() {
            let overcommitted = batch.overcommitted(path.item())?;
            return Ok(WithdrawOutcome { bid, tickets: None, overcommitted });
        }
        if by == WithdrawnBy::Seller && note.is_none() {
            return Err(vec![FieldError::missing("note")].into());
        }
        check(item, &bid, by, *reason, batch.withdrawn_by(path.auction_id, user_id), now)?;
        let number = item.withdrawals + 1;
        let withdrawal = Withdrawal { number, at: now, by, user_id, reason: *reason, note: note.clone() };
        let bid = Bid { withdrawn: Some(withdrawal), ..Bid::clone(&bid) };
        let bid = batch.withdraw(bid, now)?;
        Ok(WithdrawOutcome { bid, tickets: None, overcommitted: batch.overcommitted(path.item())? })
    }
}

impl WithdrawBid {
    /// Takes tickets out of the hat, at will until the draw.
    fn judge_tickets(&self, batch: &mut BatchState, now: Moment) -> Result<WithdrawOutcome, WithdrawError> {
        let (path, user_id) = (self.bid, self.user_id);
        let role = batch.role(path.auction_id, user_id);
        let item = batch.item(path.item())?.ok_or(VerbError::NotFound)?;
        let bid = Arc::clone(batch.bid_apart(path.item_id, path.sequence).ok_or(VerbError::NotFound)?);
        let by = authorize(item, user_id, role, bid.bidder.id, &self.others)?;
        let Explanation { reason, note } = self.explanation.as_ref().map_err(Problem::clone)?;
        if by == WithdrawnBy::Seller && note.is_none() {
            return Err(vec![FieldError::missing("note")].into());
        }
        if item.status(now) == ItemStatus::Closed {
            return Err(WithdrawRefusal::Closed.into());
        }
        let opened = bid.opened(bid.receipt, 0, item.ends_at);
        batch.withdraw_apart(&bid, user_id, now)?;
        let withdrawal = Withdrawal { number: 0, at: now, by, user_id, reason: *reason, note: note.clone() };
        let tickets = bid.tickets;
        let bid = Arc::new(Bid { withdrawn: Some(withdrawal), ..opened });
        Ok(WithdrawOutcome { bid, tickets, overcommitted: None })
    }
}

/// A bid, standing or withdrawn, before a user who is to withdraw it.
#[derive(Debug)]
pub struct Withdrawable {
    pub bid: Bid,
    /// The capacity in which the user may withdraw it.
    pub by: Result<WithdrawnBy, AskAnotherManager>,
}

/// Returns the bid, and how the user may withdraw it.
///
/// # Errors
/// `NotFound`, `Forbidden`.
pub async fn find(
    conn: &mut Connection,
    path: BidPath,
    user_id: UserId,
) -> Result<Withdrawable, WithdrawError> {
    let item = find_item(conn, path.item()).await?.ok_or(VerbError::NotFound)?;
    let role = access::store::role(conn, path.auction_id, user_id).await?;
    let bid = if item.format.draw().is_some() && item.has_bids_apart() {
        let bid = store::sealed::find_standing(conn, path.item_id, path.sequence).await?;
        bid.map(|bid| bid.opened(bid.receipt, 0, item.ends_at))
    } else {
        store::find(conn, path.item(), path.sequence).await?
    };
    let bid = bid.ok_or(VerbError::NotFound)?;
    let others = other_managers(conn, &item, user_id).await?;
    let by = match authorize(&item, user_id, role, bid.bidder.id, &others) {
        Ok(by) => Ok(by),
        Err(VerbError::Refused(WithdrawRefusal::AskAnother(ask))) => Err(ask),
        Err(error) => return Err(error),
    };
    Ok(Withdrawable { bid, by })
}

/// The names of the other managers of the auction, if the user sells the item.
async fn other_managers(
    conn: &mut Connection,
    item: &BidItem,
    user_id: UserId,
) -> Result<Vec<String>, DbError> {
    if item.seller_id != user_id {
        return Ok(Vec::new());
    }
    access::store::other_managers(conn, item.auction_id, user_id).await
}

/// Whether the user sees who leads and what they have: managers of the auction do.
async fn may_see_funds(conn: &mut Connection, bid: &Bid, user_id: UserId) -> Result<bool, DbError> {
    let role = access::store::role(conn, bid.auction_id, user_id).await?;
    Ok(role.is_some_and(|role| role.may(Action::SeeBidders)))
}

/// Withdraws a bid, and returns it as withdrawn. A repeat returns the first withdrawal.
pub async fn withdraw(
    context: &Context,
    queue: &BidQueue,
    bid: BidPath,
    user_id: UserId,
    body: impl Body,
) -> Result<WithdrawResponse, WithdrawError> {
    let explanation = body.read().and_then(|object| Explanation::read(object).map_err(Problem::fields));
    let others = {
        let conn = &mut context.db.read().await?;
        match find_item(conn, bid.item()).await? {
            Some(item) => other_managers(conn, &item, user_id).await?,
            None => Vec::new(),
        }
    };
    let WithdrawOutcome { bid, tickets, overcommitted } =
        queue.submit(WithdrawBid { bid, user_id, others, explanation }).await?;
    let mut db = context.db.read().await?;
    let overcommitted = match overcommitted {
        Some((id, available)) if id == user_id || may_see_funds(&mut db, &bid, user_id).await? => {
            Some(Overcommitted::named(&mut db, id, available).await?)
        }
        _ => None,
    };
    let auction = auctions::store::by_id(&mut db, bid.auction_id, context.clock.now()).await?;
    let people = PeopleShown::of(&auction.ok_or(VerbError::NotFound)?);
    Ok(WithdrawResponse { bid, tickets, people, overcommitted })
}
