//! Closing an item because its end has come.

use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::items::ItemStatus;
use crate::items::outcomes::Closing;
use crate::path::ItemPath;
use platform::time::Moment;

/// Closes an item if its end has come: bids that came before may have moved it.
#[derive(Debug, Clone, Copy)]
pub struct CloseEndedItem(pub ItemPath);

impl QueuedRequest for CloseEndedItem {
    /// Whether the item was closed.
    type Accepted = bool;
    type Error = QueueError;

    fn needs(&self) -> Needs {
        Needs { item_id: Some(self.0.item_id), closes: true, ..Needs::of(self.0.auction_id) }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<bool, QueueError> {
        let Some(item) = batch.item(self.0)? else { return Ok(false) };
        if item.closed_at.is_some() || item.status(now) != ItemStatus::Closed {
            return Ok(false);
        }
        // The next round closes it.
        if batch.is_full_of_shares(self.0.auction_id) {
            return Ok(false);
        }
        batch.close_item(self.0, Closing::Clock, now)?;
        Ok(true)
    }
}
