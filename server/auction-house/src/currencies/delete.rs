//! The end of a currency profile. With the last one an auction goes back to ISO 4217.

use super::see::manage_currency;
use super::store;
use crate::auctions::access::AccessError;
use crate::context::Context;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::usage;
use platform::db::DbError;
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum DeleteCurrencyError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    #[error("bids are entered in the profile")]
    HasBids,
    #[error("a minimum is entered in the profile")]
    InMinimum,
    #[error("a rule is for the profile")]
    InRule,
    /// They would have no price at all.
    #[error("it is the last profile, and items have no currency without it")]
    LastOfItems,
}

impl From<DbError> for DeleteCurrencyError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

pub async fn delete_currency(
    context: &Context,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), DeleteCurrencyError> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_currency(&mut db, auction_id, currency_id, user, now).await?;
    if_match.check(had.version)?;
    if usage::currency_has_bids(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyError::HasBids);
    }
    if usage::currency_in_minimum(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyError::InMinimum);
    }
    if usage::has_rules(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyError::InRule);
    }
    store::delete(&mut db, currency_id).await?;
    let mut touched = Vec::new();
    if !store::any(&mut db, auction_id).await? {
        if usage::items_lack_iso_currency(&mut db, auction_id).await? {
            return Err(DeleteCurrencyError::LastOfItems);
        }
        // The items have their ISO 4217 prices again.
        touched = events::store::record_all(&mut db, auction_id, now).await?;
    }
    db.commit().await?;
    context.events.publish(&Signal::Items(touched));
    Ok(())
}
