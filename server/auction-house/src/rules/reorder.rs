//! Moves a rule up or down in the order in which violations are reported.

use super::store;
use crate::access::Action;
use crate::auctions::access::{AccessError, authorize};
use crate::context::Context;
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

/// Swaps the rule with its neighbour. All positions are renumbered, since two rules may have shared one. A
/// rule at the edge stays.
pub async fn move_rule(
    context: &Context,
    auction_id: AuctionId,
    rule_id: RuleId,
    user: UserId,
    direction: Direction,
) -> Result<(), AccessError> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    let mut rules = store::of_auction(&mut db, auction_id).await?;
    let at = rules.iter().position(|rule| rule.id == rule_id).ok_or(AccessError::NotFound)?;
    let neighbour = match direction {
        Direction::Up => at.checked_sub(1),
        Direction::Down => Some(at + 1).filter(|next| *next < rules.len()),
    };
    let Some(neighbour) = neighbour else { return Ok(()) };
    rules.swap(at, neighbour);
    for (position, mut rule) in (0..).zip(rules) {
        if rule.definition.position != position {
            rule.definition.position = position;
            rule.version += 1;
            rule.updated_at = now;
            store::update(&mut db, &rule).await?;
        }
    }
    db.commit().await?;
    Ok(())
}
