//! Deletes a currency rule.

use super::access::manage_rule;
use super::store;
use crate::context::Context;
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;
use platform::precondition::Precondition;
use platform::verb::VerbError;
use std::convert::Infallible;

pub async fn delete_rule(
    context: &Context,
    auction_id: AuctionId,
    rule_id: RuleId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<Infallible>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_rule(&mut db, auction_id, rule_id, user, context.clock.now()).await?;
    if_match.check(had.version)?;
    store::delete(&mut db, rule_id).await?;
    db.commit().await?;
    Ok(())
}
