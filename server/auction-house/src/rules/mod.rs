//! Currency rules: what a bid must fulfil beyond being the highest.

pub mod access;
pub mod body;
pub mod create;
pub mod delete;
pub mod document;
pub mod patch;
pub mod reorder;
pub mod routes;
pub mod store;

use rules_engine::RuleDefinition;
use rules_engine::bounds::MAX_POSITION;

use crate::ids::{AuctionId, RuleId};
use platform::time::Moment;

/// A rule of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyRule {
    pub id: RuleId,
    pub auction_id: AuctionId,
    /// INVARIANT: `Rule::parse` accepts it, its id is `id`, and the profile that it names is the auction's.
    pub definition: RuleDefinition,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// The default position of a rule: after these others.
pub fn next_position<'a>(others: impl IntoIterator<Item = &'a CurrencyRule>) -> u32 {
    let last = others.into_iter().map(|rule| rule.definition.position).max();
    last.map_or(0, |last| (last + 1).min(MAX_POSITION))
}
