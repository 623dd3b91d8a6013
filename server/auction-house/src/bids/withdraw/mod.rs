//! Withdrawing a bid (SPEC, section 6). The request goes through the bid queue, so that it comes before or after each
//! bid. Nothing is deleted: the bid stays in the ledger, and the highest standing bid leads.

mod body;
mod judge;
pub mod routes;

use std::sync::Arc;

use rules_engine::money::Normalized;

pub use body::{Explanation, WithdrawalBody};
pub use judge::{authorize, check};

use crate::access;
use crate::bids::batch::state::BatchState;
use crate::bids::entry::{Judged, QueueError};
use crate::bids::queue::BidQueue;
use crate::bids::{Bid, store};
use crate::context::Context;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::path::BidPath;
use accounts::Person;
use platform::body::Body;
use platform::db::Connection;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a bid is not withdrawn.
    pub enum WithdrawRefusal {
        OwnItem => Forbidden, "You sell this item: another manager may withdraw a bid on it.";
        NotAMistake => Forbidden, "You may take your own bid back if it was mistyped or placed on the wrong item.";
        TooLate => TooLate, "A bid can be taken back for 60 seconds, while it is the newest bid and leads, and not shortly before a late end.";
        LimitReached => LimitReached, "You have taken back 3 bids in this auction: the others stay.";
        Closed => Closed, "The item is closed: its bids stay.";
    }
    wraps { Queue(QueueError) }
}

/// A bid to be withdrawn.
#[derive(Debug, Clone)]
pub struct WithdrawBid {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    pub sequence: i64,
    pub user_id: UserId,
    pub explanation: Explanation,
}

/// A withdrawn bid, and who has committed more than they have since.
#[derive(Debug, Clone)]
pub struct Withdrawn {
    pub bid: Arc<Bid>,
    pub overcommitted: Option<Overcommitted>,
}

/// The bidder who leads after a withdrawal, if what they have does not cover the bids with which they lead.
#[derive(Debug, Clone)]
pub struct Overcommitted {
    pub person: Person,
    /// Below zero.
    pub available: Normalized,
}

/// A withdrawn bid, as the queue answers.
#[derive(Debug, Clone)]
pub struct WithdrawnBid {
    pub bid: Arc<Bid>,
    /// The bidder who leads now, and how much they have available, if they have committed more than they have.
    pub overcommitted: Option<(UserId, Normalized)>,
}

pub type WithdrawError = VerbError<WithdrawRefusal>;

impl Judged for WithdrawBid {
    type Accepted = WithdrawnBid;
    type Error = WithdrawError;

    fn auction_id(&self) -> AuctionId {
        self.auction_id
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<WithdrawnBid, WithdrawError> {
        batch.withdraw(self, now)
    }
}

/// A bid, standing or withdrawn, for a user who may withdraw it.
///
/// # Errors
/// Those of [`authorize`].
pub async fn find(conn: &mut Connection, path: BidPath, user_id: UserId) -> Result<Bid, WithdrawError> {
    let BidPath { auction_id, item_id, sequence } = path;
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let item = item.filter(|item| item.auction_id == auction_id).ok_or(WithdrawError::NotFound)?;
    let role = access::store::role(conn, auction_id, user_id).await?;
    let bid = store::find(conn, auction_id, item_id, sequence).await?;
    authorize(&item, user_id, role, bid.as_ref().map(|bid| bid.bidder.id))?;
    bid.ok_or(WithdrawError::NotFound)
}

/// Withdraws a bid, and returns it as withdrawn. A repeat returns the first withdrawal.
pub async fn withdraw(
    context: &Context,
    queue: &BidQueue,
    path: BidPath,
    user_id: UserId,
    body: impl Body,
) -> Result<Withdrawn, WithdrawError> {
    let BidPath { auction_id, item_id, sequence } = path;
    find(&mut context.db.read().await?, path, user_id).await?;
    let explanation = Explanation::read(body.read()?)?;
    let WithdrawnBid { bid, overcommitted } =
        queue.submit(WithdrawBid { auction_id, item_id, sequence, user_id, explanation }).await?;
    let overcommitted = match overcommitted {
        Some((id, available)) => {
            let name = accounts::store::name(&mut context.db.read().await?, id).await?;
            let person = Person { id, name: name.unwrap_or_else(|| Person::DELETED.to_owned()) };
            Some(Overcommitted { person, available })
        }
        None => None,
    };
    Ok(Withdrawn { bid, overcommitted })
}
