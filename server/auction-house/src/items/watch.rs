//! Members mark the items that they watch.

use super::access::view_in_auction;
use super::store::watches;
use crate::access::Action;
use crate::context::Context;
use crate::ids::{AuctionId, ItemId, UserId};
use accounts::locks::write_as;
use platform::verb::VerbError;
use std::convert::Infallible;

/// Makes a member watch an item, or not any more. Other viewers see no difference, so that there is no event.
pub async fn watch_item(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    member: UserId,
    watches_it: bool,
) -> Result<(), VerbError<Infallible>> {
    let now = context.clock.now();
    let mut db = write_as(&context.db, member).await?;
    let (auction, _) = view_in_auction(&mut db, auction_id, item_id, member, now).await?;
    auction.require(Action::WatchItems)?;
    if watches_it {
        watches::insert(&mut db, (auction_id, item_id), member, now).await?;
    } else {
        watches::delete(&mut db, (auction_id, item_id), member).await?;
    }
    db.commit().await?;
    Ok(())
}
