//! Changes the place of one item in the running order, holds it, or has it come back.

use super::place::moved;
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::ItemStatus;
use crate::items::access::view_item;
use crate::items::store::running_order as store;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::Connection;
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::{AccessError, VerbError};

/// The place of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrangeBody {
    item_id: Option<ItemId>,
    before: Option<ItemId>,
    is_held: Option<bool>,
}

impl Shape for ArrangeBody {
    const NAME: &'static str = "RunningOrderPlace";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_parsed("itemId", &mut self.item_id).about("Of the auction, and not closed.");
        members.parsed("before", &mut self.before).about("It is called directly before this one.");
        members
            .optional_flag("held", &mut self.is_held)
            .about("It is left out until it comes back. Given without `before`, the item keeps its place.");
    }
}

refusals! {
    /// Why the running order is not changed.
    pub enum ArrangeRefusal {
        Draft => codes::ITEM_NOT_OPEN, "The item is a draft: publish it first.";
        Closed => codes::ITEM_NOT_OPEN, "The item is closed already.";
    }
}

/// Moves an item before another one or, with neither that nor `held`, to the end.
pub async fn arrange_item(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<ArrangeRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::RunHall)?;
    let ArrangeBody { item_id, before, is_held } = shape::parse(body.read()?)?;
    let Some(item_id) = item_id else { return Err(vec![FieldError::missing("itemId")].into()) };
    check(&mut db, &seen, "itemId", item_id, now).await?;
    if let Some(before) = before {
        if before == item_id {
            return Err(vec![FieldError::new("before", "must be another item")].into());
        }
        check(&mut db, &seen, "before", before, now).await?;
    }
    let mut is_changed = false;
    if before.is_some() || is_held.is_none() {
        let order = store::places(&mut db, auction_id).await?;
        let positions = moved(&order, item_id, before);
        is_changed |= !positions.is_empty();
        store::write(&mut db, auction_id, &positions).await?;
    }
    if let Some(is_held) = is_held
        && store::is_held(&mut db, item_id).await? != is_held
    {
        is_changed = true;
        store::hold(&mut db, auction_id, item_id, is_held).await?;
    }
    if !is_changed {
        return Ok(());
    }
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Order, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    Ok(())
}

/// Refuses an item that is not to be called.
async fn check(
    db: &mut Connection,
    seen: &AuctionView,
    field: &str,
    item_id: ItemId,
    now: Moment,
) -> Result<(), VerbError<ArrangeRefusal>> {
    let item = match view_item(db, seen, item_id).await {
        Err(AccessError::NotFound) => {
            return Err(vec![FieldError::new(field, "must be the id of an item of the auction")].into());
        }
        item => item?.item,
    };
    match item.status(now) {
        ItemStatus::Draft => Err(ArrangeRefusal::Draft.into()),
        ItemStatus::Closed => Err(ArrangeRefusal::Closed.into()),
        ItemStatus::Scheduled | ItemStatus::Open => Ok(()),
    }
}
