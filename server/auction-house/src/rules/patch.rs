//! Changes a currency rule. Existing bids stay; the changed rule applies from the next bid on.

use rules_engine::RuleType;

use super::access::manage_rule;
use super::body::{patched, read_rule};
use super::{CurrencyRule, next_position, store};
use crate::context::Context;
use crate::currencies::{self, Currency};
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::precondition::Precondition;
use platform::verb::VerbError;
use std::convert::Infallible;

/// Applies a merge patch. A patch without effect keeps the version.
pub async fn patch_rule(
    context: &Context,
    auction_id: AuctionId,
    rule_id: RuleId,
    user: UserId,
    patch: impl Body,
    if_match: &Precondition,
) -> Result<CurrencyRule, VerbError<Infallible>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_rule(&mut db, auction_id, rule_id, user, now).await?;
    let patch = patch.read()?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let rules = store::of_auction(&mut db, auction_id).await?;
    let last = next_position(rules.iter().filter(|other| other.id != rule_id));
    let mut changed = read(&had, patch, last, &currencies)?;
    if_match.check(had.version)?;
    if changed == had {
        return Ok(had);
    }
    changed.version += 1;
    changed.updated_at = now;
    store::update(&mut db, &changed).await?;
    db.commit().await?;
    Ok(changed)
}

/// The rule with the patch applied, in its old version. `last` is its position if the patch removes it.
fn read(
    had: &CurrencyRule,
    patch: Object,
    last: u32,
    currencies: &[Currency],
) -> Result<CurrencyRule, Vec<FieldError>> {
    if patch.get::<RuleType>("type").is_some_and(|given| given != had.definition.rule_type) {
        let message = format!("must stay {}: add another rule instead", had.definition.rule_type.as_str());
        return Err(vec![FieldError::new("type", message)]);
    }
    let definition = read_rule(patched(had, patch), had.id.to_string(), last, currencies)?;
    Ok(CurrencyRule { definition, ..had.clone() })
}
