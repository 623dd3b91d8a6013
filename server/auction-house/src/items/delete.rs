//! Deleting an item without bids.

use super::access::manage_item;
use super::{ItemStatus, store};
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::locks::LockingWrites;
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not deleted.
    pub enum DeleteItemRefusal {
        /// The same with and without bids.
        Sealed => codes::FROZEN, "The item is open for sealed bids: it can be cancelled, and its record stays.";
        HasBids => codes::HAS_BIDS, "The item has bids: their record stays for good.";
    }
}

pub async fn delete_item(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteItemRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (_, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    if_match.check(seen.item.version)?;
    let has_begun = matches!(seen.item.status(now), ItemStatus::Open | ItemStatus::Closed);
    if has_begun && seen.item.terms.format.is_sealed() {
        return Err(DeleteItemRefusal::Sealed.into());
    }
    if seen.item.last_sequence > 0 || seen.item.tickets.is_some() {
        return Err(DeleteItemRefusal::HasBids.into());
    }
    store::delete(&mut db, &seen.item).await?;
    let item = &seen.item;
    let change =
        if item.terms.is_published { ItemChange::Deleted } else { ItemChange::DeletedDraft(item.creator.id) };
    events::store::record_change(&mut db, auction_id, item_id, change, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    Ok(())
}
