//! Deletes a currency profile. Without the last one, an auction is priced in ISO 4217 again.

use super::access::manage_currency;
use super::store;
use crate::codes;
use crate::context::Context;
use crate::events;
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a currency profile is not deleted.
    pub enum DeleteCurrencyRefusal {
        HasBids => codes::HAS_BIDS, "Bids are entered in this currency: it stays.";
        InMinimum => codes::IN_USE, "The minimum bid of an item is entered in this currency: change that first.";
        InRule => codes::IN_USE, "A rule is for this currency: change or remove the rule first.";
        /// Items would have no price at all.
        LastOfItems => codes::IN_USE, "It is the last currency, and the auction has items that have no price without one.";
    }
}

pub async fn delete_currency(
    context: &Context,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteCurrencyRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_currency(&mut db, auction_id, currency_id, user, now).await?;
    if_match.check(had.version)?;
    if usage::currency_has_bids(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyRefusal::HasBids.into());
    }
    if usage::currency_in_price(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyRefusal::InMinimum.into());
    }
    if usage::has_rules(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyRefusal::InRule.into());
    }
    store::delete(&mut db, currency_id).await?;
    let mut touched = None;
    if !store::any(&mut db, auction_id).await? {
        if usage::items_lack_iso_currency(&mut db, auction_id).await? {
            return Err(DeleteCurrencyRefusal::LastOfItems.into());
        }
        // The items have their ISO 4217 prices again.
        touched = Some(events::store::record_all(&mut db, auction_id, now).await?);
    }
    db.commit().await?;
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(())
}
