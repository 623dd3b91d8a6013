//! A changed item. From its first bid on its price stays, and it is never hidden again.

use super::body::{Misfit, Setting, read_terms};
use super::see::{SeenItem, manage_item, see_item};
use super::{Item, ItemStatus, store};
use crate::auctions::access::AccessError;
use crate::context::Context;
use crate::currencies;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::DbError;
use platform::fields::{FieldError, Object};
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum PatchItemError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.faults.len())]
    Invalid(Misfit),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    #[error("the item, or the auction that it would come out in, is closed")]
    Closed,
    #[error("the price of an item with bids stays")]
    Frozen,
    #[error("an item with bids stays published")]
    HasBids,
}

impl From<DbError> for PatchItemError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// Lays `patch` on the item. A patch that changes nothing makes no new version.
pub async fn patch_item(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    patch: Object,
    if_match: &Precondition,
) -> Result<SeenItem, PatchItemError> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let setting = Setting { auction: &auction.auction, currencies: &currencies };
    let had = &seen.item;
    let body = seen.as_body(&patch, now)?.patched(patch);
    let terms = read_terms(body, setting, Some(had)).map_err(PatchItemError::Invalid)?;
    let ends_at = auction.auction.terms.item_end(terms.own_end);
    if ends_at != had.ends_at && ends_at.is_some_and(|end| end <= now) {
        let fault = FieldError { path: "endDate".to_owned(), message: "must lie in the future".to_owned() };
        return Err(PatchItemError::Invalid(Misfit { faults: vec![fault], violations: Vec::new() }));
    }
    if_match.check(had.version)?;
    let changed = Item { terms, updated_at: now, ..had.clone() };
    // A draft that came out past the auction's end would open the auction again.
    let is_closed =
        had.status(now) == ItemStatus::Closed || (auction.auction.has_ended(now) && !had.terms.is_published);
    check_state(had, &changed, is_closed)?;
    if changed.terms == had.terms {
        return Ok(seen);
    }
    store::update(&mut db, &changed).await?;
    let hidden = had.terms.is_published && !changed.terms.is_published;
    let change = if hidden { ItemChange::Hidden } else { ItemChange::Edited };
    events::store::record_change(&mut db, auction_id, item_id, change, now).await?;
    let changed = see_item(&mut db, &auction, item_id).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    Ok(changed)
}

fn check_state(had: &Item, changed: &Item, is_closed: bool) -> Result<(), PatchItemError> {
    let has_bids = had.last_sequence > 0;
    if is_closed {
        Err(PatchItemError::Closed)
    } else if has_bids && changed.terms.price != had.terms.price {
        Err(PatchItemError::Frozen)
    } else if has_bids && !changed.terms.is_published {
        Err(PatchItemError::HasBids)
    } else {
        Ok(())
    }
}
