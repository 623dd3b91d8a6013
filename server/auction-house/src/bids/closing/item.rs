//! Closing one item: now, as a cancellation, or because its end has come.

use crate::access::Action;
use crate::bids::batch::state::BatchState;
use crate::bids::entry::{Judged, QueueError};
use crate::bids::queue::BidQueue;
use crate::context::Context;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::access::{ItemView, view_in_auction};
use crate::items::outcomes::{Closing, REASON_CHARS};
use platform::body::Body;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not closed.
    pub enum CloseItemRefusal {
        Closed => Closed, "The item is closed already.";
        HasStandingBid => Forbidden, "The item has a standing bid: only the auction's managers may end it now.";
    }
    wraps { Queue(QueueError) }
}

/// Closes the item that a user ends now or cancels. Bids that came before are judged before.
#[derive(Debug, Clone)]
pub struct CloseItem {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    pub user_id: UserId,
    pub closing: Closing,
    pub if_match: Precondition,
}

impl Judged for CloseItem {
    type Accepted = ();
    type Error = VerbError<CloseItemRefusal>;

    fn auction_id(&self) -> AuctionId {
        self.auction_id
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<(), VerbError<CloseItemRefusal>> {
        batch.close_item(self, now)
    }
}

/// Closes an item if its end has come: bids that came before may have moved it.
#[derive(Debug, Clone, Copy)]
pub struct CloseEndedItem {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
}

impl Judged for CloseEndedItem {
    /// Whether the item was closed.
    type Accepted = bool;
    type Error = QueueError;

    fn auction_id(&self) -> AuctionId {
        self.auction_id
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<bool, QueueError> {
        batch.close_ended_item(self, now)
    }
}

/// An item of an auction.
#[derive(Debug, Clone, Copy)]
pub struct ItemAddress {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
}

/// Ends the item now. Its seller may while it has no standing bid, the managers always.
pub async fn end_item(
    context: &Context,
    queue: &BidQueue,
    item: ItemAddress,
    user: UserId,
    if_match: Precondition,
) -> Result<ItemView, VerbError<CloseItemRefusal>> {
    close(context, queue, item, user, Closing::User(user), if_match).await
}

/// What a request says of a cancellation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cancellation {
    reason: String,
}

impl Shape for Cancellation {
    const NAME: &'static str = "ItemCancellation";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("reason", REASON_CHARS, &mut self.reason).about("Everyone who sees the item reads it.");
    }
}

/// Removes the item from the sale. Its bids stay in the list.
pub async fn cancel_item(
    context: &Context,
    queue: &BidQueue,
    item: ItemAddress,
    user: UserId,
    body: impl Body,
    if_match: Precondition,
) -> Result<ItemView, VerbError<CloseItemRefusal>> {
    // Whether the user may cancel comes before what is wrong with the body. The queue authorizes again.
    let (auction, _) = view_in_auction(
        &mut context.db.read().await?,
        item.auction_id,
        item.item_id,
        user,
        context.clock.now(),
    )
    .await?;
    auction.require(Action::CloseItems)?;
    let Cancellation { reason } = shape::parse(body.read()?)?;
    close(context, queue, item, user, Closing::Cancellation { by: user, reason }, if_match).await
}

async fn close(
    context: &Context,
    queue: &BidQueue,
    ItemAddress { auction_id, item_id }: ItemAddress,
    user_id: UserId,
    closing: Closing,
    if_match: Precondition,
) -> Result<ItemView, VerbError<CloseItemRefusal>> {
    queue.submit(CloseItem { auction_id, item_id, user_id, closing, if_match }).await?;
    let now = context.clock.now();
    let (_, closed) =
        view_in_auction(&mut context.db.read().await?, auction_id, item_id, user_id, now).await?;
    Ok(closed)
}
