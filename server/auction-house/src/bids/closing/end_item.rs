//! Ending an item now.

use crate::access::Action;
use crate::bids::access::sees;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue::BidQueue;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::codes;
use crate::context::Context;
use crate::ids::UserId;
use crate::items::ItemStatus;
use crate::items::access::{ItemView, view_in_auction};
use crate::items::outcomes::Closing;
use crate::path::ItemPath;
use platform::precondition::Precondition;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not ended.
    pub enum EndItemRefusal {
        HasStandingBid => codes::FORBIDDEN, "The item has a standing bid: only the auction's managers may end it now.";
        /// The same with and without bids.
        Sealed => codes::FORBIDDEN, "Bids on the item are sealed: only the auction's managers may end it now.";
        Closed => codes::CLOSED, "The item is closed already.";
    }
    wraps { Queue(QueueError) }
}

/// Ends an item now. Bids that came before are judged before.
#[derive(Debug, Clone)]
pub struct EndItem {
    pub item: ItemPath,
    pub user_id: UserId,
    pub if_match: Precondition,
}

impl QueuedRequest for EndItem {
    type Accepted = ();
    type Error = VerbError<EndItemRefusal>;

    fn needs(&self) -> Needs {
        Needs {
            item_id: Some(self.item.item_id),
            user_id: Some(self.user_id),
            closes: true,
            ..Needs::of(self.item.auction_id)
        }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<(), Self::Error> {
        let role = batch.role(self.item.auction_id, self.user_id);
        let item = batch.item(self.item)?.filter(|item| sees(item, self.user_id, role));
        let item = item.ok_or(VerbError::NotFound)?;
        let role = role.ok_or(VerbError::Forbidden)?;
        if !role.may(Action::CloseItems) {
            if item.seller_id != self.user_id {
                return Err(VerbError::Forbidden);
            }
            if item.is_sealed() {
                return Err(EndItemRefusal::Sealed.into());
            }
            if batch.has_standing_bid(item, self.item.item_id) {
                return Err(EndItemRefusal::HasStandingBid.into());
            }
        }
        self.if_match.check(item.version())?;
        if item.status(now) == ItemStatus::Closed {
            return Err(EndItemRefusal::Closed.into());
        }
        Ok(batch.close_item(self.item, Closing::User(self.user_id), now)?)
    }
}

/// Ends the item now. Its seller may while it has no standing bid, the managers always.
pub async fn end_item(
    context: &Context,
    queue: &BidQueue,
    item: ItemPath,
    user_id: UserId,
    if_match: Precondition,
) -> Result<ItemView, VerbError<EndItemRefusal>> {
    queue.submit(EndItem { item, user_id, if_match }).await?;
    let now = context.clock.now();
    let conn = &mut context.db.read().await?;
    Ok(view_in_auction(conn, item.auction_id, item.item_id, user_id, now).await?.1)
}
