//! Currency rules: what a bid must keep beyond being the highest.

pub mod body;
pub mod create;
pub mod document;
pub mod routes;
pub mod store;

use rules_engine::RuleDefinition;

use crate::clock::Moment;
use crate::ids::{AuctionId, RuleId};

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
