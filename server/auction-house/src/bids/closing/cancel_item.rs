//! Removing an item from the sale.

use super::cancel_drawn::cancel_drawn;
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
use crate::items::outcomes::{Closing, REASON_CHARS};
use crate::path::ItemPath;
use platform::body::Body;
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not cancelled.
    pub enum CancelItemRefusal {
        Closed => codes::CLOSED, "The item is closed already.";
        BookClosed => codes::CLOSED, "The auction's book is closed: what it has charged stays.";
    }
    wraps { Queue(QueueError) }
}

/// What a request says of a cancellation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cancellation {
    pub(super) reason: String,
}

impl Shape for Cancellation {
    const NAME: &'static str = "ItemCancellation";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("reason", REASON_CHARS, &mut self.reason).about("Everyone who sees the item reads it.");
    }
}

/// Cancels an item. Bids that came before are judged before.
#[derive(Debug, Clone)]
pub struct CancelItem {
    pub item: ItemPath,
    pub user_id: UserId,
    /// The error of a body that can't be read is returned once the user is authorized.
    pub cancellation: Result<Cancellation, Problem>,
    pub if_match: Precondition,
}

impl QueuedRequest for CancelItem {
    type Accepted = ();
    type Error = VerbError<CancelItemRefusal>;

    fn needs(&self) -> Needs {
        Needs {
            item_id: Some(self.item.item_id),
            user_id: Some(self.user_id),
            closes: true,
            cancels: true,
            ..Needs::of(self.item.auction_id)
        }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<(), Self::Error> {
        let role = batch.role(self.item.auction_id, self.user_id);
        let item = batch.item(self.item)?.filter(|item| sees(item, self.user_id, role));
        let item = item.ok_or(VerbError::NotFound)?;
        if !role.is_some_and(|role| role.may(Action::CloseItems)) {
            return Err(VerbError::Forbidden);
        }
        let Cancellation { reason } = self.cancellation.as_ref().map_err(Problem::clone)?;
        self.if_match.check(item.version())?;
        if item.status(now) == ItemStatus::Closed {
            return Err(CancelItemRefusal::Closed.into());
        }
        let closing = Closing::Cancellation { by: self.user_id, reason: reason.clone() };
        Ok(batch.close_item(self.item, closing, now)?)
    }
}

/// Removes the item from the sale, also after its draw. Its bids stay in the list. Only managers may.
pub async fn cancel_item(
    context: &Context,
    queue: &BidQueue,
    item: ItemPath,
    user_id: UserId,
    body: impl Body,
    if_match: Precondition,
) -> Result<ItemView, VerbError<CancelItemRefusal>> {
    let cancellation = body.read().and_then(|object| shape::parse(object).map_err(Problem::fields));
    let view = async || {
        let (conn, now) = (&mut context.db.read().await?, context.clock.now());
        let found = view_in_auction(conn, item.auction_id, item.item_id, user_id, now).await;
        Ok::<_, VerbError<CancelItemRefusal>>(found?.1)
    };
    let had = view().await?.item;
    if had.terms.format.draw().is_some() && had.outcome.is_some() {
        return cancel_drawn(context, item, user_id, cancellation, &if_match).await;
    }
    queue.submit(CancelItem { item, user_id, cancellation, if_match }).await?;
    view().await
}
