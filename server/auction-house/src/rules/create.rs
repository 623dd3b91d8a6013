//! A new currency rule.

use rules_engine::bounds::MAX_RULES;

use super::body::read_rule;
use super::{CurrencyRule, next_position, store};
use crate::access::Role;
use crate::auctions::access::{AccessError, see};
use crate::context::Context;
use crate::currencies;
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;
use platform::db::DbError;
use platform::fields::{FieldError, Object};

#[derive(Debug, thiserror::Error)]
pub enum CreateRuleError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<FieldError>),
    #[error("the auction has as many rules as one may have")]
    LimitReached,
}

impl From<DbError> for CreateRuleError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

pub async fn create_rule(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    object: Object,
) -> Result<CurrencyRule, CreateRuleError> {
    let now = context.clock.now();
    let id = RuleId::new(now).map_err(DbError::from)?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    see(&mut db, auction_id, user, now).await?.require(Role::MANAGERS)?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let others = store::of_auction(&mut db, auction_id).await?;
    let definition = read_rule(object, id.to_string(), next_position(&others), &currencies)
        .map_err(CreateRuleError::Invalid)?;
    if others.len() >= MAX_RULES {
        return Err(CreateRuleError::LimitReached);
    }
    let rule = CurrencyRule { id, auction_id, definition, version: 1, created_at: now, updated_at: now };
    store::insert(&mut db, &rule).await?;
    db.commit().await?;
    Ok(rule)
}
