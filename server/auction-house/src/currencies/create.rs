//! A new currency profile. With the first one a legacy auction becomes one with profiles.

use super::body::CurrencyDraft;
use super::{CURRENCIES_MAX, Currency, store};
use crate::access::Role;
use crate::auctions::access::{AccessError, see};
use crate::context::Context;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::usage;
use platform::db::DbError;
use platform::fields::{FieldError, Object};

#[derive(Debug, thiserror::Error)]
pub enum CreateCurrencyError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<FieldError>),
    #[error("the auction has as many profiles as one may have")]
    LimitReached,
    /// Its bids are in ISO currencies, and can't be compared with those in profiles.
    #[error("the auction has bids without profiles")]
    HasBids,
    #[error("another profile of the auction has the code")]
    CodeTaken,
}

impl From<DbError> for CreateCurrencyError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

pub async fn create_currency(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    object: Object,
) -> Result<Currency, CreateCurrencyError> {
    let now = context.clock.now();
    let id = CurrencyId::new(now).map_err(DbError::from)?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    see(&mut db, auction_id, user, now).await?.require(Role::MANAGERS)?;
    let draft = CurrencyDraft::read(object, id.to_string()).map_err(CreateCurrencyError::Invalid)?;
    let others = store::of_auction(&mut db, auction_id).await?;
    if others.len() >= CURRENCIES_MAX {
        return Err(CreateCurrencyError::LimitReached);
    }
    if others.is_empty() && usage::any_bids(&mut db, auction_id).await? {
        return Err(CreateCurrencyError::HasBids);
    }
    if others.iter().any(|other| other.code == draft.code) {
        return Err(CreateCurrencyError::CodeTaken);
    }
    let is_default = draft.is_default.unwrap_or(others.is_empty());
    if is_default {
        store::clear_default(&mut db, auction_id, now).await?;
    }
    let currency = Currency {
        id,
        auction_id,
        code: draft.code,
        name: draft.name,
        symbol: draft.symbol,
        is_default,
        definition: draft.definition,
        names: draft.names,
        version: 1,
        created_at: now,
        updated_at: now,
    };
    store::insert(&mut db, &currency).await?;
    let mut touched = Vec::new();
    if others.is_empty() {
        // The items lose their ISO 4217 prices.
        touched = events::store::record_all(&mut db, auction_id, now).await?;
    }
    db.commit().await?;
    context.events.publish(&Signal::Items(touched));
    Ok(currency)
}
