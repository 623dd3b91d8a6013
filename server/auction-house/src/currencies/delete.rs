//! The end of a currency profile. With the last one an auction goes back to ISO 4217.

use super::see::manage_currency;
use super::store;
use crate::auctions::access::AccessError;
use crate::bids;
use crate::context::Context;
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::items;
use crate::locks::LockingWrites;
use crate::rules;
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
    if bids::store::any_in_currency(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyError::HasBids);
    }
    if items::store::any_minimum_in(&mut db, auction_id, currency_id).await? {
        return Err(DeleteCurrencyError::InMinimum);
    }
    let rules = rules::store::of_auction(&mut db, auction_id).await?;
    if rules.iter().any(|rule| rule.is_of(currency_id)) {
        return Err(DeleteCurrencyError::InRule);
    }
    store::delete(&mut db, currency_id).await?;
    if !store::any(&mut db, auction_id).await?
        && items::store::any_without_iso_currency(&mut db, auction_id).await?
    {
        return Err(DeleteCurrencyError::LastOfItems);
    }
    db.commit().await?;
    Ok(())
}
