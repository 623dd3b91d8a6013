//! Shows the drafts of an auction to its bidders, all in one step.

use super::patch::changed_item;
use super::{Item, ItemTerms, store};
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::items::import::change_items;
use crate::locks::LockingWrites;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why the drafts stay hidden.
    pub enum PublishRefusal {
        Closed => codes::CLOSED, "The auction is closed: its drafts stay hidden.";
    }
}

/// Publishes the drafts of the auction and returns how many these are. OWNER and ADMIN only. A draft whose
/// end has passed stays one.
///
/// # Errors
/// Those of the authorization, of the limits of writes, and [`PublishRefusal`].
pub async fn publish_drafts(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
) -> Result<usize, VerbError<PublishRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, user, now).await?.require(Action::ManageItems)?;
    let expected = store::draft_count(&mut db, auction_id).await?;
    drop(db);
    let _permit = context.work.begin_bulk_write(user).await?;
    context.work.charge(user, expected, 0)?;
    let _turn = context.work.begin_large_write(user, expected).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageItems)?;
    if seen.auction.has_ended(now) {
        return Err(PublishRefusal::Closed.into());
    }
    let ids = store::draft_ids(&mut db, auction_id).await?;
    let drafts = store::find_among(&mut db, &ids).await?;
    let published = drafts.into_iter().filter_map(|draft| {
        let terms = ItemTerms { is_published: true, ..draft.terms.clone() };
        let assigned = (draft.lot_number.clone(), draft.seller.clone());
        let item = changed_item(&seen.auction, &draft, terms, assigned, now).ok()??;
        Some((draft, item))
    });
    let published: Vec<(Item, Item)> = published.collect();
    let signals = change_items(context, &mut db, &seen, &published, now).await?;
    db.commit().await?;
    signals.iter().for_each(|signal| context.events.publish(signal));
    Ok(published.len())
}
