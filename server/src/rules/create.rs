//! A new currency rule.

use rules_engine::bounds::MAX_RULES;

use super::body::read_rule;
use super::{CurrencyRule, next_position, store};
use crate::auctions::access::{AccessError, see};
use crate::currencies;
use crate::db::DbError;
use crate::fields::{Fault, Object};
use crate::ids::{AuctionId, RuleId, UserId};
use crate::members::Role;
use crate::state::AppState;

#[derive(Debug, thiserror::Error)]
pub enum CreateRuleError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<Fault>),
    #[error("the auction has as many rules as one may have")]
    LimitReached,
}

impl From<DbError> for CreateRuleError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

pub async fn create_rule(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    object: Object,
) -> Result<CurrencyRule, CreateRuleError> {
    let now = state.clock.now();
    let id = RuleId::new(now).map_err(DbError::from)?;
    let mut db = state.db.write_in(&[auction_id]).await?;
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
