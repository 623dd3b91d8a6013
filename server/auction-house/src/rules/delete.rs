//! The end of a currency rule.

use super::see::manage_rule;
use super::store;
use crate::auctions::access::AccessError;
use crate::context::Context;
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;
use platform::db::DbError;
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum DeleteRuleError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Outdated(#[from] Outdated),
}

impl From<DbError> for DeleteRuleError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

pub async fn delete_rule(
    context: &Context,
    auction_id: AuctionId,
    rule_id: RuleId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), DeleteRuleError> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_rule(&mut db, auction_id, rule_id, user, context.clock.now()).await?;
    if_match.check(had.version)?;
    store::delete(&mut db, rule_id).await?;
    db.commit().await?;
    Ok(())
}
